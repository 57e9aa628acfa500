#include "reports/html/charts.hpp"

namespace assay::reports {

std::string style_sheet() {
    return R"css(
:root {
  color-scheme: light dark;
  --paper: #ffffff; --ink: #1b1e23; --quiet: #59616c; --rule: #d5dae1; --warn: #8a5200; --bad: #b3261e;
  --right: #b9d4ec; --wrong: #cb5420; --mark: #17191d; --line: #1d5b96; --near: #9fc0e0; --far: #e6eef7;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #15171b; --ink: #e7e9ec; --quiet: #a2abb6; --rule: #343a43; --warn: #f0b45c; --bad: #ff8a80;
    --right: #2b4a67; --wrong: #f0874a; --mark: #f7f8f9; --line: #8cc0f0; --near: #37587a; --far: #212c39;
  }
}
@page { margin: 14mm; }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1.5rem 1.25rem 3rem; max-width: 58rem; background: var(--paper); color: var(--ink);
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
h1 { font-size: 1.3rem; margin: 0 0 .2rem; overflow-wrap: anywhere; }
h2 { font-size: 1rem; margin: 2rem 0 .5rem; }
p { margin: .15rem 0; overflow-wrap: anywhere; }
.identity { color: var(--quiet); font-size: .87em; }
.simulated { border: 2px solid var(--warn); color: var(--warn); padding: .5rem .75rem; margin: 0 0 1rem; }
.score { font-size: 2.6rem; line-height: 1.15; font-weight: 650; margin-top: 1.1rem; font-variant-numeric: tabular-nums; }
.score small { font-size: 1rem; font-weight: 400; color: var(--quiet); }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: .2rem .9rem .2rem 0; text-align: right; vertical-align: top; white-space: nowrap; }
th { font-weight: 500; color: var(--quiet); }
th.text, td.text { text-align: left; }
tbody tr { border-top: 1px solid var(--rule); }
.facts { margin-top: .9rem; }
.facts th { text-align: left; color: var(--ink); }
.facts th.detail { padding-left: 1.2rem; }
.facts td.words { text-align: left; white-space: normal; color: var(--quiet); overflow-wrap: anywhere; }
.warn { color: var(--warn); }
.bad { color: var(--bad); }
svg { display: block; }
.chart, .band { width: 100%; height: auto; margin: .4rem 0; }
.chart text, .band text { font-size: 11px; fill: var(--quiet); }
.band text { font-size: 9px; }
text.end { text-anchor: end; }
text.middle { text-anchor: middle; }
.grid { stroke: var(--rule); fill: none; }
.mean { stroke: var(--line); stroke-width: 1.5; fill: none; }
.dot { fill: var(--line); stroke: var(--line); stroke-width: 2; }
.dot.greedy { fill: var(--paper); }
.questions { fill: var(--far); }
.test { fill: var(--near); }
.right { fill: var(--right); }
.wrong { fill: var(--wrong); }
.mark { fill: var(--mark); }
.unscored { fill: none; stroke: var(--bad); stroke-width: 1.4; }
.missing { fill: var(--quiet); }
.tip { fill: transparent; stroke: none; }
.tip:hover { stroke: var(--ink); }
.legend { list-style: none; padding: 0; margin: .3rem 0 .8rem; display: flex; flex-wrap: wrap; gap: .2rem 1.2rem; font-size: .87em;
  color: var(--quiet); }
.legend li { display: flex; align-items: center; gap: .4rem; }
.notes { padding-left: 1.1rem; }
@media (max-width: 40rem) {
  .facts td.words { display: block; padding-left: 1.2rem; }
  .facts tr { display: block; padding: .15rem 0; }
  .facts td.value, .facts th { display: inline-block; }
}
@media print {
  :root {
    color-scheme: light;
    --paper: #ffffff; --ink: #000000; --quiet: #444444; --rule: #bbbbbb; --warn: #6b4000; --bad: #8c1d17;
    --right: #b9d4ec; --wrong: #cb5420; --mark: #000000; --line: #1d5b96; --near: #9fc0e0; --far: #e6eef7;
  }
  body { font-size: 9pt; padding: 0; }
  th, td { padding-right: .55rem; }
  .wide { overflow: visible; }
  svg, table, li, tr { break-inside: avoid; }
  h2 { break-after: avoid; }
  * { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
)css";
}

}  // namespace assay::reports

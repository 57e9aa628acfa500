// Framing, pieces and pace.
#include "harness/simulated/behavior_rows.hpp"

namespace assay::simulated {
namespace {

class Latency final : public Behavior {
public:
    explicit Latency(const std::string& value) : delay_(std::chrono::milliseconds(parse_count("latency-ms", value))) {}
    std::chrono::nanoseconds delay(const Arrival&) const override { return delay_; }

private:
    std::chrono::nanoseconds delay_;
};

// JSON escapes its line feeds: each that stands in a stream ends a line.
class EndedBy final : public Delivery {
public:
    explicit EndedBy(std::string_view ending) : ending_(ending) {}
    Ending pass(std::string& bytes, Place) override {
        for (std::size_t at = bytes.find('\n'); at != std::string::npos; at = bytes.find('\n', at + ending_.size())) bytes.replace(at, 1, ending_);
        return Ending::none;
    }

private:
    std::string_view ending_;
};

class LineEnding final : public Behavior {
public:
    explicit LineEnding(const std::string& value) {
        if (value == "lf") ending_ = "\n";
        else if (value == "crlf") ending_ = "\r\n";
        else if (value == "cr") ending_ = "\r";
        else refuse_value("line-ending", "lf, crlf or cr", value);
    }
    std::unique_ptr<Delivery> delivery(const Arrival&) const override { return std::make_unique<EndedBy>(ending_); }

private:
    std::string_view ending_;
};

class Framed final : public Behavior {
public:
    explicit Framed(const std::string& value) {
        if (value == "chunked") framing_ = Framing::chunked;
        else if (value == "length") framing_ = Framing::length;
        else if (value == "close") framing_ = Framing::close;
        else refuse_value("framing", "chunked, length or close", value);
    }
    void send(const Arrival&, Sending& sending) const override { sending.framing = framing_; }

private:
    Framing framing_ = Framing::chunked;
};

class InPieces final : public Behavior {
public:
    explicit InPieces(const std::string& value) {
        if (value == "characters") split_ = Split::characters;
        else if (value == "cr") split_ = Split::cr;
        else bytes_ = static_cast<std::size_t>(parse_count("split", value));
    }
    void send(const Arrival&, Sending& sending) const override {
        sending.split = split_;
        sending.split_bytes = bytes_;
    }

private:
    Split split_ = Split::bytes;
    std::size_t bytes_ = 1;
};

class SlowLoris final : public Behavior {
public:
    explicit SlowLoris(const std::string& value) : rate_(parse_count("slow-loris", value)) {
        if (rate_ == 0) refuse_value("slow-loris", "bytes a second above 0", value);
    }
    void send(const Arrival&, Sending& sending) const override {
        sending.split = Split::bytes;
        sending.split_bytes = 1;
        sending.pause = std::chrono::nanoseconds(1'000'000'000 / rate_);
    }

private:
    std::int64_t rate_;
};

class Coalesced final : public Behavior {
public:
    void send(const Arrival&, Sending& sending) const override { sending.gathered = true; }
};

}  // namespace

BehaviorRows sending_rows() {
    return {
        {{"latency-ms", "N", "milliseconds added before the first byte"}, from_value<Latency>},
        {{"line-ending", "lf|crlf|cr", "what ends the lines of a stream"}, from_value<LineEnding>},
        {{"framing", "KIND", "the body's end is told by chunked, length or close"}, from_value<Framed>},
        {{"coalesce", "", "all events in one piece, when the last is due"}, fixed<Coalesced>()},
        {{"split", "N|characters|cr", "writes of N bytes, or that end inside characters or behind each CR"}, from_value<InPieces>},
        {{"slow-loris", "N", "N bytes a second, one at a time"}, from_value<SlowLoris>},
    };
}

}  // namespace assay::simulated

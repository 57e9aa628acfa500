// The records of RUN/journal.jsonl: what is in the payloads. Format assay.journal/1, said by every session.
//
//   {"type":"session","format":"assay.journal/1","id":"<16 hex>","started_unix_s":..,"host":..,"pid":..,<RunInfo>}
//   {"type":"begin","seed":3,"question":17,"try":1,"session":"<16 hex>","unix_s":..}
//   {"type":"try","seed":3,"question":17,"try":1,"session":"<16 hex>","outcome":"complete","started_unix_s":..,
//    "ended_unix_s":..,"endpoint":1,<Reply, texts last>}
//   {"type":"work","session":"<16 hex>",<ClientWork>}
//   {"type":"note","session":"<16 hex>","unix_s":..,"text":"question 17 ..."}
//   {"type":"look","session":"<16 hex>","unix_s":..,"rule":"this-test<=0.7","decision":"stop","seeds":[0,1,2,3,4],"half_width":0.0068}
//
// `begin` says that a try was sent, `try` how it ended, `note` what a process found that its reports must say, `work` what it
// did so far (the last one of a session counts), `look` whether the run may stop adding seeds (look.hpp). What is unset or
// empty is left out. Keys and types that a reader does not know are passed over.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "datasets/runs/attempt.hpp"
#include "datasets/runs/client_work.hpp"
#include "datasets/runs/look.hpp"
#include "datasets/runs/run_info.hpp"
#include "harness/chat/reply.hpp"

namespace assay::runs {

inline constexpr std::size_t kept_text_bytes = 2048;  // of a failed try: from either end of each text

struct BeginRecord {
    AttemptKey key;
    int try_number = 0;  // from 1
    std::string session;
    std::optional<double> unix_s;
};

struct NoteRecord {
    std::string session;
    std::optional<double> unix_s;
    std::string text;  // one line
};

struct LookRecord {
    std::string session;
    Look look;
};

struct TryRecord {
    AttemptKey key;
    int try_number = 0;
    std::string session;
    std::optional<double> started_unix_s;
    std::optional<double> ended_unix_s;
    chat::Reply reply;
    std::optional<int> endpoint;  // index into the session's endpoints; not written where there is one
};

// Append the payload. A text of a try that is not scored keeps its first and last 2 KiB (whole code points),
// with " [... N bytes left out ...] " between them.
void append_payload(std::string& out, const Session& session);
void append_payload(std::string& out, const BeginRecord& begin);
void append_payload(std::string& out, const NoteRecord& note);
void append_payload(std::string& out, const ClientWork& work);
void append_payload(std::string& out, const LookRecord& record);
void append_payload(std::string& out, const TryRecord& record);

// What a payload holds: nothing (monostate) where its type is unknown.
using AnyRecord = std::variant<std::monostate, Session, BeginRecord, NoteRecord, ClientWork, LookRecord, TryRecord>;

class RecordDecoder {
public:
    enum class Depth : unsigned char {
        outline,  // of a try: of its reply only the outcome, the times, and what is counted over a run
        whole,
    };

    RecordDecoder();
    ~RecordDecoder();
    RecordDecoder(RecordDecoder&&) noexcept;
    RecordDecoder& operator=(RecordDecoder&&) noexcept;

    // `payload` is followed by journal::payload_padding readable bytes. Unset where it is no record of this
    // format. Throws assay::Error for a session of a newer format, naming it; `path` is only named there.
    std::optional<AnyRecord> decode(std::string_view payload, Depth depth, const std::string& path);

private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

}  // namespace assay::runs

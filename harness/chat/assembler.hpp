// ReplyAssembler: the response body of one try, piece by piece, to a Reply.
//
// Takes a stream of events or one JSON document, whichever comes (told by the first byte that is no white space),
// and the body of an error status. Pure: no socket, no clock; the client adds times.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "harness/chat/chunk_reader.hpp"
#include "harness/chat/classifier.hpp"
#include "harness/chat/event_parser.hpp"
#include "harness/chat/reply.hpp"
#include "harness/chat/secrets.hpp"

namespace assay::chat {

struct BodyLimits {
    std::int64_t event_bytes = 16LL << 20;
    std::int64_t response_bytes = 64LL << 20;
    bool accept_done_without_finish = false;  // text that ends in "[DONE]" is taken for complete where no finish_reason came
};

// How the transport says the response ended.
struct BodyEnd {
    long http_status = 0;
    int curl_code = 0;
    bool limit_passed = false;
    std::string words;  // the transport's, or which limit passed; empty where it ended well
};

class ReplyAssembler {
public:
    // The reader may be shared by assemblers of one thread; both must outlive this.
    ReplyAssembler(ChunkReader& reader, const Secrets& secrets, BodyLimits limits);

    enum class Wants : unsigned char {
        more,
        rest,     // a finish_reason or "[DONE]" came: what follows is worth a short wait only
        nothing,  // a bound was passed
    };
    // `http_status` is that of the response and the same in every call.
    Wants add(long http_status, std::string_view bytes);

    // What it came to. Call once, last; outcome and texts are final, times are left alone.
    [[nodiscard]] Reply finish(const BodyEnd& end);

    [[nodiscard]] std::int64_t text_events() const noexcept { return text_events_; }
    [[nodiscard]] std::int64_t text_bytes() const noexcept {
        return static_cast<std::int64_t>(reply_.content.size() + reply_.reasoning.size());
    }

private:
    enum class Form : unsigned char { unknown, events, document, error };

    Wants add_to_stream(std::string_view bytes);
    void tell_form(long http_status, std::string_view bytes);
    void on_event(const Event& event);
    void on_error_field(std::string_view value);
    void on_undecodable(const Event& event, std::string_view problem);
    void take(const Chunk& chunk);
    void take_text(const Chunk& chunk);
    void finish_document();
    void settle_texts();
    void note(std::string words);  // the first of them is kept as Reply::error
    void malformed(std::string words);

    ChunkReader& reader_;
    const Secrets& secrets_;
    BodyLimits limits_;
    EventParser parser_;
    Form form_ = Form::unknown;
    std::string body_;  // of a document or error; of any other what came before its form was known
    std::string head_;  // the first bytes of what turns out to be no event stream
    Reply reply_;
    Facts facts_;
    std::string words_;
    std::int64_t text_events_ = 0;
    bool nothing_more_ = false;
};

}  // namespace assay::chat

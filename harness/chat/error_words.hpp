// The words of an error, in the shapes servers give it. Private to this folder.
//
// An `error` object (vLLM, OpenAI, llama.cpp, OpenRouter with metadata.raw, LiteLLM), an `error` string, a flat object
// with object:"error" (SGLang, TensorRT-LLM), `error_msg`, and in bodies of error statuses also `detail` (FastAPI) or `message`.
#pragma once

#include <simdjson.h>

#include <string>

namespace assay::chat {

// True where the object says that it is an error or carries one.
[[nodiscard]] bool has_error(simdjson::dom::object document);

// Message, with type and code where they add something; not bounded, not scrubbed.
[[nodiscard]] std::string error_words(simdjson::dom::object document);

}  // namespace assay::chat

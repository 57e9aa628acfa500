// GPQA's files in the local cache of the Hugging Face hub. Nothing is downloaded.
#pragma once

#include <string>

namespace assay::questions {

// The folder of the hub's cache, as huggingface_hub finds it: HF_HUB_CACHE, else HF_HOME/hub, else
// XDG_CACHE_HOME/huggingface/hub, else HOME/.cache/huggingface/hub. A variable that is empty counts as not set.
[[nodiscard]] std::string hub_cache_folder();

// The path of gpqa_<subset>.csv (subset: "diamond", "main" or "extended") in
// <cache>/datasets--Idavidrein--gpqa/snapshots/<commit>/: of the commit that refs/main names where it is there, else of
// the first commit, in the order of their names, that has the file.
// Throws assay::Error, naming the folder it looked in and the file to give instead, where there is none.
[[nodiscard]] std::string gpqa_in_hub_cache(const std::string& subset);

}  // namespace assay::questions

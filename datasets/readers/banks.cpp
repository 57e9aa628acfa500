#include "datasets/readers/view_maker.hpp"

namespace assay::readers {

ReaderView view_of_banks(const ReaderInput& input, ReaderId server) {
    const LayerNames names(server, input.model, input.facts);
    ReaderView view = server_layers(input, server, names, Form::fp4);
    for (LayerView& layer : view.layers) {
        if (bank_of(input.facts[view.parts[layer.parts_begin]].name).empty()) layer.built = Form::plain;
    }
    return view;
}

}  // namespace assay::readers

#include "transposed_convolution.hpp"

namespace motmot::gan {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

constexpr std::array<std::int64_t, 2> stride{2, 2}, padding{1, 1}, dilation{1, 1}, none{0, 0};

class AsGradient : public torch::autograd::Function<AsGradient> {
 public:
  // x plays the gradient with respect to the output of a convolution; its gradient with respect to the input,
  // whose values do not matter, is what is wanted.
  static torch::Tensor forward(AutogradContext* context, const torch::Tensor& x,
                               const torch::Tensor& weight) {
    context->save_for_backward({x, weight});
    const torch::Tensor shape = torch::empty({x.size(0), weight.size(1), 2 * x.size(2), 2 * x.size(3)},
                                             x.options().memory_format(torch::MemoryFormat::ChannelsLast));
    return std::get<0>(torch::convolution_backward(x, shape, weight, c10::nullopt, stride, padding, dilation,
                                                   false, none, 1, {true, false, false}));
  }

  static variable_list backward(AutogradContext* context, variable_list gradients) {
    const variable_list saved = context->get_saved_variables();
    const torch::Tensor &x = saved[0], &weight = saved[1], &gradient = gradients[0];
    torch::Tensor by_x, by_weight;
    if (context->needs_input_grad(0)) by_x = torch::conv2d(gradient, weight, {}, stride, padding);
    if (context->needs_input_grad(1))
      by_weight = std::get<1>(torch::convolution_backward(x, gradient, weight, c10::nullopt, stride, padding,
                                                          dilation, false, none, 1, {false, true, false}));
    return {by_x, by_weight};
  }
};

}  // namespace

torch::Tensor transposed_convolution(const torch::Tensor& x, const torch::Tensor& weight) {
  return AsGradient::apply(x, weight);
}

}  // namespace motmot::gan

module @types {
  func.func public @main(%a: tensor<2x3xf32>, %b: tensor<4xbf16>, %c: tensor<i1>, %d: tensor<2xcomplex<f32>>, %e: tensor<0x5xui8>, %f: tensor<3xi64>) -> (tensor<3x2xf32>, tensor<4xbf16>, tensor<i1>, tensor<2xcomplex<f32>>, tensor<0x5xui8>, tensor<3xi64>) {
    %0 = stablehlo.transpose %a, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
    %1 = stablehlo.not %c : tensor<i1>
    return %0, %b, %1, %d, %e, %f : tensor<3x2xf32>, tensor<4xbf16>, tensor<i1>, tensor<2xcomplex<f32>>, tensor<0x5xui8>, tensor<3xi64>
  }
}

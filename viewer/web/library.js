// What the program asks of the browser beyond Emscripten's GLFW: the display's scale (GLFW has it since 3.3), the hand, and
// characters that the page's own fonts lack, Chinese above all.
mergeInto(LibraryManager.library, {
  glfwGetWindowContentScale: function (window, x, y) {
    if (x) HEAPF32[x >> 2] = devicePixelRatio;
    if (y) HEAPF32[y >> 2] = devicePixelRatio;
  },
  glfwCreateStandardCursor: function (shape) { return shape; },
  glfwSetCursor: function (window, cursor) { Module["canvas"].style.cursor = cursor ? "pointer" : "default"; },

  // Into a square of bytes, the pen at its left edge, on a base line `ascent` below its upper edge.
  browser_glyph: function (code, bold, pixels, ascent, side, coverage) {
    const canvas = document.createElement("canvas");
    canvas.width = canvas.height = side;
    const pen = canvas.getContext("2d");
    pen.font = (bold ? "600 " : "") + pixels + "px sans-serif";
    pen.fillText(String.fromCodePoint(code), 0, ascent);
    const rgba = pen.getImageData(0, 0, side, side).data;
    for (let i = 0; i < side * side; ++i) HEAPU8[coverage + i] = rgba[4 * i + 3];
  },
});

// The style that a plot's picture has on the page and in a file.
export const color_count = 8;

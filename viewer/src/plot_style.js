// What a plot's picture on the page and in a file share.
export const color_count = 8;

// What a plot's picture on the page and in a file share.
export const colour_count = 8;

/**
 * The operator. This folder is all that another operator changes: names here, colours in brand.css,
 * the mark in mark.tsx.
 */
export const brand = {
  name: 'Anchor & Axle RV & Boat Storage',
  shortName: 'Anchor & Axle',
  /**
   * What a phone's browser paints around the page: the page's own surface (tokens.css), in light
   * and in dark.
   */
  themeColor: { light: '#f4f7fa', dark: '#0c1319' },
};

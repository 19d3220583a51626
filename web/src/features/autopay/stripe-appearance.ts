import type { ElementsOptions } from './stripe.ts';

/** The look of our own fields for those in the provider's frame, which no style of ours reaches. */
export function appearance(): ElementsOptions['appearance'] {
  return {
    theme: matchMedia('(prefers-color-scheme: dark)').matches ? 'night' : 'stripe',
    variables: {
      colorPrimary: colorOf('--brand'),
      colorBackground: colorOf('--raised'),
      colorText: colorOf('--text'),
      colorTextSecondary: colorOf('--muted'),
      colorDanger: colorOf('--bad'),
      fontFamily: 'system-ui, sans-serif',
      fontSizeBase: '16px',
      borderRadius: '8px',
      spacingUnit: '4px',
    },
  };
}

/** A colour of tokens.css as the frame knows it: painted and read back, because it does not know `oklch`. */
function colorOf(name: string): string {
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  if (canvas === null) return 'gray';
  canvas.fillStyle = getComputedStyle(document.documentElement).getPropertyValue(name);
  canvas.fillRect(0, 0, 1, 1);
  const [red, green, blue] = canvas.getImageData(0, 0, 1, 1).data;
  return `rgb(${red}, ${green}, ${blue})`;
}

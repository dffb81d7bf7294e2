// A skin byte becomes colours. Hues run evenly in OKLCH, where equal steps look equal; neighbours in hue
// differ in lightness too, so that they stay apart for eyes that see fewer hues.

const LIGHTNESS = [0.74, 0.84, 0.66, 0.79];
const CHROMA = 0.165;

/** The skins that the menu offers: twelve hues, each of another lightness than its neighbours. */
export const SKINS = Array.from({ length: 12 }, (_, i) => Math.round((i * 256) / 12) & 0xff);

const toSrgb = (v) => Math.round(255 * (v <= 0.0031308 ? 12.92 * Math.max(0, v) : 1.055 * Math.min(1, v) ** (1 / 2.4) - 0.055));

/** OKLCH (hue in turns) as [r, g, b], 0..255, clipped to what a screen shows. */
export function oklch(lightness, chroma, hue) {
  const a = chroma * Math.cos(hue * 2 * Math.PI), b = chroma * Math.sin(hue * 2 * Math.PI);
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    toSrgb(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
    toSrgb(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
    toSrgb(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s),
  ];
}

const css = (lightness, chroma, hue) => `rgb(${oklch(lightness, chroma, hue).join(' ')})`;

function mix(skin) {
  const hue = skin / 256 + 0.07;
  const lightness = LIGHTNESS[(skin >> 2) & 3];
  return {
    body: css(lightness, CHROMA, hue),
    outline: css(lightness * 0.4, CHROMA * 0.5, hue),
    band: css(lightness * 0.8, CHROMA, hue + 0.02),
    shine: css(Math.min(0.96, lightness + 0.14), CHROMA * 0.6, hue),
  };
}

const mixed = new Array(256);

/** The colours of a skin, as CSS; the same object at every call. */
export function coloursOf(skin) {
  return (mixed[skin & 0xff] ??= mix(skin & 0xff));
}

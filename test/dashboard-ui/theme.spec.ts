import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const SOURCE = join(__dirname, '../../packages/dashboard/src');
const THEME = readFileSync(join(SOURCE, 'theme/theme.css'), 'utf8');

/** The tokens of a color scheme by name. */
function tokensOf(scheme: 'light' | 'dark'): ReadonlyMap<string, string> {
  const [, block = ''] =
    new RegExp(`:root\\[data-mantine-color-scheme='${scheme}'\\] \\{([^}]*)\\}`).exec(THEME) ?? [];
  const found = block.matchAll(/--app-([a-z0-9-]+): (#[0-9a-f]{6});/g);
  return new Map([...found].map(([, name = '', color = '']) => [name, color]));
}

/** Relative luminance of a color (WCAG 2.2). */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = parseInt(color.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

/** Text needs 4.5 on each of its grounds, and what shows where a control ends or a chart's series needs 3. */
const TEXT = 4.5;
const SHAPE = 3;
const GROUNDS = ['ground', 'surface', 'raised'];
const PAIRS: readonly (readonly [name: string, grounds: readonly string[], least: number])[] = [
  ['text', [...GROUNDS, 'hover', 'accent-soft', 'mark', 'added', 'removed', 'code'], TEXT],
  ['muted', [...GROUNDS, 'hover'], TEXT],
  ['neutral', [...GROUNDS, 'hover'], TEXT],
  ['link', [...GROUNDS, 'hover', 'accent-soft'], TEXT],
  ['on-accent', ['accent', 'accent-hover', 'danger-fill', 'danger-fill-hover'], TEXT],
  ['ok', ['ok-soft', ...GROUNDS], TEXT],
  ['warning', ['warning-soft', ...GROUNDS], TEXT],
  ['danger', ['danger-soft', ...GROUNDS], TEXT],
  ['info', ['info-soft', ...GROUNDS], TEXT],
  ['text', ['ok-soft', 'warning-soft', 'danger-soft', 'info-soft'], TEXT],
  ['on-person', ['other', 0, 1, 2, 3, 4, 5, 6, 7].map((name) => `person-${String(name)}`), TEXT],
  ['control', ['surface', 'raised'], SHAPE],
  ['chart-good', ['surface'], SHAPE],
  ['chart-neutral', ['surface'], SHAPE],
  ['chart-warning', ['surface'], SHAPE],
  ['chart-limited', ['surface'], SHAPE],
  ['chart-bad', ['surface'], SHAPE],
];

describe.each(['light', 'dark'] as const)('the %s color scheme', (scheme) => {
  const tokens = tokensOf(scheme);
  const colorOf = (name: string) => {
    const color = tokens.get(name);
    if (color === undefined) throw new Error(`There is no color --app-${name}.`);
    return color;
  };

  it('A color scheme has the contrast that WCAG AA requires for each text and shape on its grounds', () => {
    const tooLow = PAIRS.flatMap(([name, grounds, least]) =>
      grounds
        .map((ground) => ({ ground, found: contrast(colorOf(name), colorOf(ground)) }))
        .filter(({ found }) => found < least)
        .map(({ ground, found }) => `${name} on ${ground}: ${found.toFixed(2)} < ${String(least)}`),
    );
    expect(tooLow).toEqual([]);
  });

  it('A color scheme has the contrasts of the design', () => {
    const pairs = {
      light: {
        'text surface': 17.2,
        'muted surface': 6.5,
        'control surface': 3.3,
        'on-accent accent': 7.8,
        'link surface': 7.1,
        'ok ok-soft': 5.7,
        'warning warning-soft': 6.0,
        'danger danger-soft': 5.6,
        'info info-soft': 6.1,
        'text mark': 14.8,
      },
      dark: {
        'text surface': 14.1,
        'muted surface': 7.2,
        'control surface': 4.5,
        'on-accent accent': 5.5,
        'link surface': 9.4,
        'ok ok-soft': 7.9,
        'warning warning-soft': 7.6,
        'danger danger-soft': 7.4,
        'info info-soft': 7.5,
        'text mark': 9.6,
      },
    }[scheme];
    const found = Object.keys(pairs).map((pair) => {
      const [name = '', ground = ''] = pair.split(' ');
      return [pair, Number(contrast(colorOf(name), colorOf(ground)).toFixed(1))];
    });
    expect(Object.fromEntries(found)).toEqual(pairs);
  });
});

describe('the tokens', () => {
  const files = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' }).filter((path) =>
    /\.(?:css|tsx?)$/.test(path),
  );
  const styles = files.filter((path) => path.endsWith('.css'));

  it('the tokens have the same names in both color schemes', () => {
    expect([...tokensOf('light').keys()]).toEqual([...tokensOf('dark').keys()]);
  });

  it('the tokens are the only place that names colors, except a QR code', () => {
    expect(styles.length).toBeGreaterThan(10);
    const named = styles
      .filter((path) => !/^theme\/theme|qr-code/.test(path))
      .filter((path) => /#[0-9a-f]{3,8}\b|\brgba?\(|\bhsla?\(/i.test(read(path)));
    expect(named).toEqual([]);
  });

  it('the tokens are the only sizes and weights of text', () => {
    const own = styles.filter(
      (path) =>
        !/^theme\/|documents\/(?:editor|margin|document-page|history\/rich-blocks|presence)/.test(
          path,
        ),
    );
    expect(own.length).toBeGreaterThan(10);
    const others = own.filter((path) => /font-size:|font: [^;]*\d(?:px|rem)/.test(read(path)));
    expect(others).toEqual([]);
  });

  it('the tokens are defined wherever they are used', () => {
    const defined = new Set(
      [...THEME.matchAll(/^\s+(--app-[a-z0-9-]+):/gm)].map(([, name]) => name),
    );
    const unknown = files.flatMap((path) =>
      [...read(path).matchAll(/var\((--app-[a-z0-9-]+)/g)]
        .filter(([, name]) => !defined.has(name))
        .map(([, name]) => `${path}: ${String(name)}`),
    );
    expect(unknown).toEqual([]);
  });
});

function read(path: string): string {
  return readFileSync(join(SOURCE, path), 'utf8');
}

import type { Locale } from '../../db/schema/values/locale.ts';

interface ScriptFonts {
  locales: readonly Locale[];
  /** Those of Apple's systems, of Windows, and of Android and Linux. */
  serif: readonly string[];
  sans: readonly string[];
}

const LETTERS: Omit<ScriptFonts, 'locales'> = {
  serif: ['Georgia', 'Noto Serif'],
  sans: ['Helvetica Neue', 'Segoe UI', 'Roboto', 'Noto Sans'],
};

/** Fonts of guests' own devices, by the languages whose letters the fonts of themes mostly lack. */
const SCRIPTS: readonly ScriptFonts[] = [
  { locales: ['el', 'bg', 'ru', 'uk', 'sr', 'mk'], ...LETTERS },
  {
    locales: ['ar', 'fa', 'ur'],
    serif: ['Noto Naskh Arabic', 'Geeza Pro', 'Sakkal Majalla', 'Times New Roman'],
    sans: ['SF Arabic', 'Geeza Pro', 'Segoe UI', 'Noto Sans Arabic'],
  },
  {
    locales: ['he'],
    serif: ['New Peninim MT', 'David', 'Noto Serif Hebrew'],
    sans: ['SF Hebrew', 'Arial Hebrew', 'Segoe UI', 'Noto Sans Hebrew'],
  },
  {
    locales: ['hi'],
    serif: ['Kohinoor Devanagari', 'Nirmala UI', 'Noto Serif Devanagari'],
    sans: ['Kohinoor Devanagari', 'Nirmala UI', 'Noto Sans Devanagari'],
  },
  {
    locales: ['th'],
    serif: ['Thonburi', 'Leelawadee UI', 'Noto Serif Thai'],
    sans: ['Thonburi', 'Leelawadee UI', 'Noto Sans Thai'],
  },
  {
    locales: ['hy'],
    serif: ['Mshtakan', 'Sylfaen', 'Noto Serif Armenian'],
    sans: ['SF Armenian', 'Segoe UI', 'Noto Sans Armenian'],
  },
  {
    locales: ['ka'],
    serif: ['Sylfaen', 'Noto Serif Georgian'],
    sans: ['SF Georgian', 'Segoe UI', 'Noto Sans Georgian'],
  },
  {
    locales: ['zh-Hans'],
    serif: ['Songti SC', 'SimSun', 'Noto Serif CJK SC', 'Noto Serif SC'],
    sans: ['PingFang SC', 'Microsoft YaHei', 'Noto Sans CJK SC', 'Noto Sans SC'],
  },
  {
    locales: ['zh-Hant'],
    serif: ['Songti TC', 'PMingLiU', 'Noto Serif CJK TC', 'Noto Serif TC'],
    sans: ['PingFang TC', 'Microsoft JhengHei', 'Noto Sans CJK TC', 'Noto Sans TC'],
  },
  {
    locales: ['ja'],
    serif: ['Hiragino Mincho ProN', 'Yu Mincho', 'Noto Serif CJK JP', 'Noto Serif JP'],
    sans: ['Hiragino Sans', 'Yu Gothic', 'Meiryo', 'Noto Sans CJK JP', 'Noto Sans JP'],
  },
  {
    locales: ['ko'],
    serif: ['AppleMyungjo', 'Batang', 'Noto Serif CJK KR', 'Noto Serif KR'],
    sans: ['Apple SD Gothic Neo', 'Malgun Gothic', 'Noto Sans CJK KR', 'Noto Sans KR'],
  },
];

/**
 * Rules that look for the letters of some languages in fonts of the guest's device, after the theme's
 * own and before the browser's choice. Menus without such a language get none.
 *
 * @param stack a value of `font-family`, with a generic family
 */
export function scriptFontRules(stack: string, locales: readonly Locale[]): string {
  const families = stack.split(', ');
  const own = families.filter((name) => name.startsWith("'"));
  const generic = families.slice(own.length);
  const kind = generic.some((name) => /^(ui-)?serif$/.test(name)) ? 'serif' : 'sans';
  const rules = SCRIPTS.flatMap((script) => {
    const spoken = script.locales.filter((locale) => locales.includes(locale));
    if (spoken.length === 0) return [];
    const places = spoken.map((locale) => `[lang='${locale}'][lang]`).join(', ');
    const names = script[kind].map((name) => `'${name}'`);
    return [`${places} {\n  font-family: ${[...own, ...names, ...generic].join(', ')};\n}\n`];
  });
  return rules.join('');
}

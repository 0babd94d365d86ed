import { read, sources } from './sources.ts';

/** A statement of `db/sql/`: where it stands, and the text of the statements that it can become. */
interface WrittenStatement {
  /** The file and the function. */
  name: string;
  pattern: RegExp;
}

/** A template or an expression in it: the place behind it, and its text outside of expressions. */
function readPart(text: string, from: number, last: '`' | '}'): { end: number; parts: string[] } {
  const parts: string[] = [];
  let part = '';
  let at = from;
  while (at < text.length && text[at] !== last) {
    if (last === '`' && text.startsWith('${', at)) {
      parts.push(part);
      part = '';
      at = readPart(text, at + 2, '}').end;
    } else if (last === '}' && text[at] === '{') at = readPart(text, at + 1, '}').end;
    else if (last === '}' && text[at] === '`') at = readPart(text, at + 1, '`').end;
    else {
      part += text[at];
      at += 1;
    }
  }
  return { end: at + 1, parts: [...parts, part] };
}

/** A text with single spaces between its words. */
export const inOneLine = (text: string) => text.replace(/\s+/g, ' ').trim();

function patternOf(parts: readonly string[]): RegExp {
  const written = parts.map((part) => inOneLine(part).replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${written.join('.*')}$`);
}

/** The statements that functions of `db/sql/` send. */
export function readStatements(): WrittenStatement[] {
  return sources
    .filter((file) => file.startsWith('db/sql/'))
    .flatMap((file) => {
      const text = read(file);
      const tags = text.matchAll(/\bsql\.(?:nothing|(?:type|value|prepared)\(.*\))`/g);
      return Array.from(tags, (tag) => {
        const { parts } = readPart(text, tag.index + tag[0].length, '`');
        const [name = ''] = [
          ...text.slice(0, tag.index).matchAll(/\bfunction\*? (\w+)|^const (\w+)/gm),
        ]
          .map(([, named, constant]) => named ?? constant)
          .slice(-1);
        return { name: `${file} ${name}`, pattern: patternOf(parts) };
      });
    });
}

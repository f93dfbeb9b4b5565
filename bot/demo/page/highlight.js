import { make } from "./dom.js";

const NUMBER = /\b(?:0[xX][\da-fA-F_]+|0[bB][01_]+|\d[\d_]*(?:\.[\d_]+)?(?:[eE][+-]?\d+)?)\b/y;
const DOUBLE_QUOTED = /"(?:\\.|[^"\\\n])*"?/y;
const COMMENT_AFTER_SPACE = /(?<=^|\s)#.*/my;
const WORD = /[\p{L}_][\p{L}\p{N}_]*/uy;

function anyOf(words) {
  return new Set(words.split(" "));
}

/**
 * For each language: what its tokens look like, the first that fits counts. A token of no kind is
 * plain, unless it is one of the language's keywords.
 */
const LANGUAGES = {
  python: {
    keywords: anyOf(
      "False None True and as assert async await break case class continue def del elif else " +
        "except finally for from global if import in is lambda match nonlocal not or pass raise " +
        "return try while with yield",
    ),
    tokens: [
      ["comment", /#.*/y],
      ["string", /[bfru]{0,2}(?:"""[^]*?(?:"""|$)|'''[^]*?(?:'''|$))/iy],
      ["string", /[bfru]{0,2}(?:"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?)/iy],
      ["number", NUMBER],
      [null, WORD],
    ],
  },
  sh: {
    keywords: anyOf(
      "case do done elif else esac export fi for function if in local return set then until while",
    ),
    tokens: [
      ["comment", COMMENT_AFTER_SPACE],
      ["string", /'[^']*'?/y],
      ["string", /"(?:\\[^]|[^"\\])*"?/y],
      ["number", /\$(?:\{[^}]*\}|\w+|[#?@*!$-])/y],
      ["number", /(?<![\w./-])\d+(?:\.\d+)?(?![\w./-])/y],
      [null, /[\w./-]+/y],
    ],
  },
  yaml: {
    keywords: anyOf("true false null"),
    tokens: [
      ["comment", COMMENT_AFTER_SPACE],
      ["keyword", /(?<=^[ \-]*)[^\s#"'\-][^:#\n]*(?=:(?:\s|$))/my],
      ["string", DOUBLE_QUOTED],
      ["string", /(?<=[\s[{,]|^)'(?:''|[^'\n])*'?/my],
      ["number", /(?<![\w.:-])-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.:-])/y],
      [null, /[\w.:/-]+/y],
    ],
  },
  json: {
    keywords: anyOf("true false null"),
    tokens: [
      ["keyword", /"(?:\\.|[^"\\\n])*"(?=\s*:)/y],
      ["string", DOUBLE_QUOTED],
      ["number", /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y],
      [null, WORD],
    ],
  },
};

const OTHER_NAMES = {
  bash: "sh",
  jsonc: "json",
  py: "python",
  python3: "python",
  shell: "sh",
  yml: "yaml",
  zsh: "sh",
};

/** Code as nodes, its tokens marked by kind; as it is where the language is not known here. */
export function highlighted(code, language) {
  const name = language.toLowerCase();
  const known = LANGUAGES[OTHER_NAMES[name] ?? name];
  const nodes = document.createDocumentFragment();
  let plainFrom = 0;
  for (let at = 0; known && at < code.length; ) {
    const [kind, token] = tokenAt(code, at, known);
    if (kind !== null) {
      nodes.append(code.slice(plainFrom, at), make("span", { "data-token": kind }, token));
      plainFrom = at + token.length;
    }
    at += token.length;
  }
  nodes.append(code.slice(plainFrom));
  return nodes;
}

function tokenAt(code, at, { keywords, tokens }) {
  for (const [kind, pattern] of tokens) {
    pattern.lastIndex = at;
    const token = pattern.exec(code)?.[0];
    if (token) {
      return [kind ?? (keywords.has(token) ? "keyword" : null), token];
    }
  }
  return [null, code[at]];
}

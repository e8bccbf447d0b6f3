/**
 * Texts that RFC 8259 calls JSON and texts that it does not, by the sentence of the grammar that
 * decides. The invalid ones stand alone; the valid ones are values, to be wrapped. Bytes that are
 * not UTF-8 are written as Latin-1 in `INVALID_BYTES`.
 */

export type Named = readonly [name: string, text: string]

const of = (group: string, texts: readonly string[]): Named[] =>
  texts.map((text, at) => [`${group} ${at + 1}: ${JSON.stringify(text.slice(0, 24))}`, text])

/** Characters that no string holds unescaped: U+0000 to U+001F. */
const CONTROLS = Array.from({ length: 32 }, (_, code) => String.fromCharCode(code))

export const INVALID: readonly Named[] = [
  ...of('no value', ['', ' ', '\n\t\r', '\u00a0', '\u2060', '\ufeff', '\ufeff{}', '\ufeff']),
  ...of('a value and more', [
    ...['{}{}', '[] []', '1 2', '{"a":1}x', '{"a":1}}', '[1]]', '""""', 'null,', 'true false'],
    ...['{"a":1}#', '{}//', '{}/**/', '[]\u0000', '{};', ',{}', ':1', '{}\ufeff', '[1],', '1,'],
  ]),
  ...of('an array that does not end or has no comma', [
    ...['[', '[1', '[1,', '[,', '[,]', '[,1]', '[1,]', '[1,,2]', '[1 2]', '[1;2]', '[1:2]'],
    ...['[""', '["a",\n4\n,1,', '[1,\n1\n,1', '[[]', '[]]', '][', ']', '[}', '[1}', '["a" "b"]'],
    ...['[1,2,]', '[\u000ba]', '[*]', '[1,*]', '[1,.]', '[[[[', '[a', '["x"]]', '[x', '[3[4]]'],
  ]),
  ...of('an object that does not end or whose members are none', [
    ...['{', '{"a"', '{"a":', '{"a":1', '{"a":1,', '{"a":1,}', '{,}', '{,"a":1}', '{"a":1,,"b":2}'],
    ...['{"a" 1}', '{"a":}', '{:1}', '{"a"}', '{"a":1 "b":2}', '{"a":1;"b":2}', "{'a':1}", '{a:1}'],
    ...['{1:1}', '{null:1}', '{[]:1}', '{"a":1:2}', '{"a":"b":"c"}', '{"a",1}', '{"a"=1}', '}'],
    ...['{]', '{"a":1]', '{"a":/*x*/1}', '{"a":1}/', '{"a":1,"b"}', '{"a"::1}', '{"a":1 }}', '{"'],
    ...['{"a":1,"a"}', '{9999E9999:1}', '{"a":true,false}', '{"":', '{"a\n":1}', '{x', '{*"a":1}'],
    ...['{"a":"x" 5}', '{"a":1,\n', '{,', '{{}', '{"a":{}'],
  ]),
  ...of('a string that does not end', [
    '"',
    '"a',
    '"\\"',
    '"\\',
    '"\\\\\\"',
    '["',
    '["a',
    '["\\"]',
  ]),
  ...of('another quote', ["'a'", "['a']", '`a`', '\u201ca\u201d', '[\u2018a\u2019]', '["a\u201d]']),
  ...CONTROLS.map(
    (char): Named => [
      `a control character in a string: U+${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
      `["a${char}b"]`,
    ],
  ),
  ...of('an escape that there is not', [
    ...['"\\a"', '"\\x00"', '"\\0"', '"\\\'"', '"\\ "', '"\\U0041"', '"\\v"', '"\\{"', '"\\1"'],
    ...['"\\u"', '"\\u1"', '"\\u00"', '"\\u004"', '"\\u00g1"', '"\\uD8"', '"\\u 041"', '"\\\n"'],
    ...[
      '"\\u+041"',
      '"\\u0x41"',
      '"\\ud834\\u"',
      '"\\ud834\\udd"',
      '"\\\ud83d\ude00"',
      '"\\\u0000"',
    ],
  ]),
  ...of('a number that is none', [
    ...['+1', '-', '--1', '-a', '- 1', '01', '-01', '00', '012', '-012', '1.', '-1.', '.1', '-.1'],
    ...['1.e1', '1e', '1e+', '1e-', '1E', '1eE2', '1e1.5', '1.2.3', '1..2', '1e1e1', '0x1', '0b1'],
    ...[
      '0o7',
      '1_000',
      '1,000.0.',
      '1 000.0',
      '0.e1',
      '0e',
      '0e+',
      '2.e3',
      '2.e+3',
      '1.8011670033e',
    ],
    ...[
      'Infinity',
      '-Infinity',
      '+Infinity',
      'NaN',
      '-NaN',
      'nan',
      'Inf',
      '1a',
      '1f',
      '0.1d',
      '1n',
    ],
    ...['\uff11', '\u0661', '1\u0660', '1+2', '1/2', '-1x', '0.3e', '-foo', '1ea', '9.e+', '-2.'],
    ...['.-1', '+', '0.', '1e1+', '0x42', '1.0e', '1.0e+', '1.0e-', '-0.', '123.', '1.1.', '0-1'],
  ]),
  ...of('a word that is none of the three', [
    ...['nul', 'tru', 'fals', 'True', 'TRUE', 'NULL', 'None', 'nil', 'undefined', 'truth', 'nulll'],
    ...['yes', 'no', 'a', '[nul]', '[tru]', '[fals]', '{"a":truth}', 't', 'n', 'void', 'nothing'],
  ]),
  ...of('a comment or another language', [
    ...['/*x*/1', '//x\n1', '#x\n1', '--x\n1', '<a/>', '<!-- x -->', '(1)', '[1]()', '$', '@', '%'],
    ...[
      'a:\n  b',
      '- 1',
      'a = 1',
      "{'a'=>1}",
      'new Date()',
      'function(){}',
      '=1',
      '!true',
      '~',
      '^',
    ],
    ...[
      '"a"+"b"',
      '`x`',
      'callback({})',
      'while(1);{}',
      ")]}',\n{}",
      '{"a":0,/*',
      '&amp;',
      '\\u0061',
    ],
  ]),
  ...of('white space of another kind', [
    ...['[\u00a01]', '[\u20031]', '[\u30001]', '[\u20281]', '[\u20291]', '[\ufeff1]', '[\u200b1]'],
    ...['[\u000c]', '[\u000b1]', '\u00851', '{\u00a0"a":1}', '[1\u2009]', '[\\n1]', '[\u0000]'],
  ]),
  ...of('a text that stops', [
    ...['{"a":"', '{"a":[', '{"a":{', '{"a":tru', '{"a":"b\\u', '[{', '[{"', '[{"a"', '[{"a":'],
    ...['[[1,2', '{"a":-', '{"a":1e', '{"a":[1,{"b":', '[true,fal', '["\\ud8', '{"a":nul'],
  ]),
]

/** In Latin-1: what no reader of UTF-8 may accept (RFC 3629). */
export const INVALID_BYTES: readonly Named[] = of('bytes that are not UTF-8', [
  ...[
    '"\xff"',
    '"\xfe"',
    '"\x80"',
    '"\xbf"',
    '"\xc0\x80"',
    '"\xc0\xaf"',
    '"\xc1\xbf"',
    '"\xe0\x80',
  ],
  ...[
    '"\xe0\x80\x80"',
    '"\xf0\x80\x80\x80"',
    '"\xed\xa0\x80"',
    '"\xed\xbf\xbf"',
    '"\xf4\x90\x80\x80"',
  ],
  ...['"\xf8\x88\x80\x80\x80"', '"\xc3"', '"\xe2\x82"', '"\xf0\x9f\x98"', '\xff\xfe{\x00}\x00'],
  ...['\xfe\xff\x00{\x00}', '{"\xe9":1}', '[\xff]', '\xe9', '"\xe9"', '"a\xffb"', '\x00[\x001'],
])

const nested = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`

export const VALID: readonly Named[] = [
  ...of('a literal', ['null', 'true', 'false', ' null', 'true\n', '\tfalse\r\n', '\n\n null \t']),
  ...of('an array', [
    ...['[]', '[ ]', '[\n]', '[1]', '[1,2]', '[ 1 , 2 ]', '[[]]', '[[],[]]', '[null]', '[[[[1]]]]'],
    ...['[""]', '["a","b"]', '[1,"a",true,null,{}]', '[{}]', '[1\n]', '\t[\r\n1\t]', '[false,0]'],
    nested(40),
  ]),
  ...of('an object', [
    ...['{}', '{ }', '{"a":1}', '{ "a" : 1 }', '{"":0}', '{"a":{}}', '{"a":[]}', '{"a":1,"b":2}'],
    ...['{"a":{"b":{"c":{}}}}', '{\n"a"\n:\n1\n}', '{"a b":1}', '{"a":null}', '{"\\u0061":1}'],
    ...['{"\\u0000":1}', '{"1":1}', '{"a":"a","A":"A"}', '{"\u00e9":1}', '{"x":[{"y":[{"z":0}]}]}'],
  ]),
  ...of('a string', [
    ...[
      '""',
      '"a"',
      '" "',
      '"a b"',
      '"\\""',
      '"\\\\"',
      '"\\/"',
      '"/"',
      '"\\b\\f\\n\\r\\t"',
      '"\\u0041"',
    ],
    ...[
      '"\\u00e9"',
      '"\u00e9"',
      '"\\u20ac"',
      '"\u20ac"',
      '"\\ud83d\\ude00"',
      '"\u{1f600}"',
      '"\\uD834\\uDD1E"',
    ],
    ...[
      '"\u007f"',
      '"\u0080"',
      '"\\u0000"',
      '"\\u001f"',
      '"\u2028"',
      '"\u2029"',
      '"\\u2028"',
      '"\ufeff"',
    ],
    ...[
      '"\ufffd"',
      '"\uffff"',
      '"\\uffff"',
      '"\u{10ffff}"',
      '"\\udbff\\udfff"',
      '"null"',
      '"//"',
      '"/*x*/"',
    ],
    ...[
      '"[1,"',
      '"{\\"a\\":1}"',
      '"\\\\u0041"',
      '"\\\\\\\\"',
      '"\'"',
      '"\\u0022"',
      '"\\u005c"',
      '"a\\u0000b"',
    ],
    ...[
      '"\u202e"',
      '"\u200b"',
      '"e\u0301"',
      '"\u0645\u0631"',
      '"<script>"',
      '"$(a)"',
      '"%00"',
      '"\\u0123"',
    ],
  ]),
  ...of('a number', [
    ...[
      '0',
      '-0',
      '1',
      '-1',
      '10',
      '123',
      '-123',
      '0.0',
      '0.1',
      '-0.1',
      '1.5',
      '10.01',
      '0e0',
      '0E0',
    ],
    ...[
      '0e+1',
      '0e-1',
      '1e1',
      '1E1',
      '1e+1',
      '1e-1',
      '1.5e3',
      '1.5E-3',
      '-1.5e+3',
      '20e1',
      '0.5e-10',
    ],
    ...['9007199254740991', '-9007199254740991', '1e300', '1e-300', '123.456e78', '0.000000001'],
    ...['1.7976931348623157e308', '5e-324', '100000000000000000000', '-1e-5', '3.141592653589793'],
  ]),
  ...of('white space', [
    ' 1',
    '1 ',
    '\t1',
    '\n1',
    '\r1',
    '\r\n\t 1 \t\r\n',
    '[ ]',
    ' {} ',
    '[\t\n\r ]',
  ]),
]

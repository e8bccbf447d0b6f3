import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import type { ArgumentRules } from '../../../../src/core/config/types.ts'
import { judgeArguments } from '../../../../src/core/tools/argument-rules.ts'

const shell = (rules: ArgumentRules, command: string) =>
  judgeArguments(rules, 'shell_execute', { command }).rule
const LS: ArgumentRules = { allow: ['ls *', 'git status'], ask: ['*'] }

describe('command rules', () => {
  it.each([
    ...['ls', 'ls -la src', 'ls "a b"', "ls 'a;b'", 'ls a\\ b', 'git status', 'ls | ls -a'],
    ...[
      'ls; ls -l',
      'ls && git status',
      'ls\nls',
      'ls 2>/dev/null',
      'ls > /dev/null 2>&1',
      'ls \\\n -l',
    ],
  ])('%j is allowed', (command) => {
    expect(shell(LS, command)).toBe('allow')
  })

  it.each(['git status -s', 'git stash', 'lsof', '/bin/ls', 'LS', 'git', '', ' ', '"ls -l"'])(
    '%j requires approval: no allowed pattern matches it',
    (command) => {
      expect(shell(LS, command)).toBe('ask')
    },
  )

  it('a specific pattern wins over `*`, and among specific ones deny, ask, allow', () => {
    const rules = { allow: ['git *', '*'], ask: ['git push *'], deny: ['git push --force *'] }
    expect(shell(rules, 'git log')).toBe('allow')
    expect(shell(rules, 'git push origin')).toBe('ask')
    expect(shell(rules, 'git push --force origin')).toBe('deny')
    expect(shell(rules, 'make')).toBe('allow')
    expect(shell({ allow: ['git:*'], deny: ['*'] }, 'git log')).toBe('allow')
    expect(shell({ allow: ['git:*'], deny: ['*'] }, 'make')).toBe('deny')
  })

  it('an unmatched command asks when there is an allow list, and is allowed otherwise', () => {
    expect(shell({ allow: ['ls *'] }, 'make')).toBe('ask')
    expect(shell({ deny: ['rm *'] }, 'make')).toBe('allow')
  })

  it('the strictest rule among several commands applies', () => {
    const rules = { allow: ['ls *'], ask: ['make *'], deny: ['rm *'] }
    expect(shell(rules, 'ls; make; rm x')).toBe('deny')
    expect(shell(rules, 'ls | make')).toBe('ask')
  })

  it('a restriction covers every path and spelling of a program name', () => {
    for (const command of ['rm x', '/bin/rm x', './rm x', '\\rm x', '"rm" x', "r''m x", 'ls;rm x'])
      expect([command, shell({ deny: ['rm *'] }, command)]).toEqual([command, 'deny'])
  })

  it('a command that may hide a restricted one asks, even where all others are allowed', () => {
    for (const command of [
      '$(echo rm) x',
      'sudo rm x',
      'sh -c "rm x"',
      'find . -delete',
      'X=1 rm x',
    ])
      expect([command, shell({ allow: ['*'], deny: ['rm *'] }, command)]).toEqual([command, 'ask'])
    expect(shell({ allow: ['*'] }, '$(date)')).toBe('allow')
  })

  it('options before the subcommand do not bypass a restriction', () => {
    const rules: ArgumentRules = { allow: ['*'], deny: ['git push *', 'gh release *'] }
    for (const command of [
      'git -C . push origin',
      'git --no-pager push',
      '/usr/bin/git -P --git-dir .git push',
      'gh --repo x release',
    ])
      expect([command, shell(rules, command)]).toEqual([command, 'deny'])
    for (const command of ['git log push', 'git add push', 'gh run release', 'git -C . log'])
      expect([command, shell(rules, command)]).toEqual([command, 'allow'])
  })

  it('a glob that could expand to the restricted words does not bypass it', () => {
    const rules: ArgumentRules = { allow: ['git *', '*'], deny: ['git push *', 'rm -rf *'] }
    for (const command of ['git pus? origin', 'git p* origin', 'git [p]ush', 'git *', 'rm * x'])
      expect([command, shell(rules, command)]).toEqual([command, 'ask'])
    for (const command of ['git add *.js', "git 'pus?'", 'rm *.o', 'git log "*"'])
      expect([command, shell(rules, command)]).toEqual([command, 'allow'])
  })

  it.each([
    ...['git -c core.pager=x log', 'git -C . -c a.b=c log', 'git --config-env=core.pager=X log'],
    ...['git diff --ext-diff', 'git log --textconv', 'git --exec-path=. log', 'git rebase -x make'],
    ...['git bisect run make', 'git submodule foreach make', 'git grep -Oless x'],
    ...['git fetch --upload-pack=x', 'tar --to-command=x -xf a', 'tar -I x -xf a', 'tar xIf x a'],
    ...['tar -xf a --checkpoint=1 --checkpoint-action=exec=x', 'tar cf a b --use-compress-prog=x'],
    ...['sort --compress-program=x a', 'split --filter=x a', 'rg --pre x y', 'rg --pre=x y'],
    ...['fd -x rm', 'fd . -X rm', 'rsync -e x a b', 'rsync -ave x a b', 'scp -S x a b'],
    ...['awk \'BEGIN{system("x")}\'', 'gawk \'{print | "sh"}\' a', 'awk -f x a', 'man -P x y'],
    ...["sed 's/a/b/e' x", "sed '1e x' a", "sed -n -e 'p;e x' a", 'sed -f x a', "sed 's|a|b|ge' x"],
    ...["vim -c '!x' a", 'vi +x a', 'less +x a', "find . -fprintf a '%p'", 'find . -ok x ;'],
    ...["let 'a[$(x)]'", "test -v 'a[$(x)]'", "printf -v 'a[$(x)]' y", "unset 'a[$(x)]'"],
    ...["read 'a[$(x)]'", "compgen -W '$(x)'", 'complete -C x y', 'mapfile -C x -c 1 a'],
    ...['toybox rm x', 'pkexec x', 'systemd-run x', 'at now', 'expect x', '/lib64/ld-linux.so.2 x'],
  ])('%j executes its arguments: no pattern of its words allows it', (command) => {
    const [name = ''] = command.split(' ')
    const all = { allow: [`${name} *`, 'cd *', '@harmless'], ask: ['*'] }
    expect(shell(all, command)).toBe('ask')
    expect(shell({ allow: ['*'], deny: ['rm *'] }, command)).toBe('ask')
  })

  it.each([
    ...['git switch -c main', 'git commit -m x', 'git clean -x', 'tar -xzf a.tgz', 'tar tf a'],
    ...["sed -i 's/here/the/g' src/file", "sed -n '/e/p' src/e", "awk -F, '{print 1}' a"],
    ...['sort -o b a', 'find . -name x', 'rg -e x', 'rsync --delete a b', 'python a.py', 'node a'],
  ])('%j is allowed by a pattern of its words', (command) => {
    const [name = ''] = command.split(' ')
    expect(shell({ allow: [`${name} *`], ask: ['*'] }, command)).toBe('allow')
    expect(shell({ allow: ['*'], deny: ['rm *'] }, command)).toBe('allow')
  })

  it('a program in the arguments that may hide a restricted command asks, unless allowed by name', () => {
    for (const command of ['python -c "x"', 'perl -e x', 'node --eval=x', 'ruby -', 'php -r x'])
      expect([command, shell({ allow: ['*'], deny: ['rm *'] }, command)]).toEqual([command, 'ask'])
    expect(shell({ allow: ['python *', '*'], deny: ['rm *'] }, 'python -c "x"')).toBe('allow')
    expect(shell({ allow: ['*'] }, 'python -c "x"')).toBe('allow')
  })

  it('harmless commands are a separate pattern', () => {
    const rules: ArgumentRules = { allow: ['@harmless'], ask: ['*'] }
    for (const command of ['ls -la', 'cat a | grep b | wc -l', 'pwd && whoami'])
      expect(shell(rules, command)).toBe('allow')
    for (const command of [
      'sort -o a b',
      'tee a',
      'cat a > b',
      'date -s 1',
      'git status',
      'uniq a b',
    ])
      expect(shell(rules, command)).toBe('ask')
  })
})

/** Each executes `touch pwned`, or may, beside or instead of `ls`. */
const ESCAPES = [
  ...['ls; touch pwned', 'ls;touch pwned', 'ls && touch pwned', 'ls || touch pwned'],
  ...['ls & touch pwned', 'ls | touch pwned', 'ls |& touch pwned', 'ls\ntouch pwned'],
  ...['ls \\\\\ntouch pwned', 'ls $(touch pwned)', 'ls `touch pwned`', 'ls "$(touch pwned)"'],
  ...[
    'ls "`touch pwned`"',
    'ls ${x:-$(touch pwned)}',
    'ls $((x[$(touch pwned)]))',
    'ls <(touch pwned)',
  ],
  ...[
    'ls >(touch pwned)',
    'ls > pwned',
    'ls >> pwned',
    'ls >| pwned',
    'ls 2> pwned',
    'ls &> pwned',
  ],
  ...['ls >& pwned', 'ls <> pwned', 'ls >/dev/null >pwned', 'ls >/dev/nullx', 'ls 1>pwned'],
  ...['ls $X', 'ls ${X}', 'ls "$X"', "ls $'\\n'", 'ls {a,b}', 'ls !!', 'ls "!x"'],
  ...['(ls; touch pwned)', '{ ls; touch pwned; }', '(touch pwned)', 'if ls; then touch pwned; fi'],
  ...['while touch pwned; do ls; done', 'for x in a; do touch pwned; done', '! touch pwned'],
  ...[
    'time touch pwned',
    'coproc touch pwned',
    'function ls { touch pwned; }',
    'ls() { touch pwned; }; ls',
  ],
  ...['case a in a) touch pwned;; esac', '[[ -n $(touch pwned) ]]', 'select x in a; do ls; done'],
  ...['eval touch pwned', 'eval "ls; touch pwned"', 'exec touch pwned', 'command touch pwned'],
  ...[
    'builtin touch',
    '. ./ls',
    'source ls',
    'env ls',
    'env touch pwned',
    'xargs touch',
    'ls | xargs touch',
  ],
  ...['sudo ls', 'nohup ls', 'sh -c ls', 'bash -c "touch pwned"', 'busybox ls', 'ssh host ls'],
  ...[
    'PATH=. ls',
    'LD_PRELOAD=./x.so ls',
    'a[0]=1 ls',
    'x+=1 ls',
    'alias ls=touch; ls',
    'trap "touch" EXIT',
  ],
  ...[
    'ls <<< $(touch pwned)',
    'ls <<E\n$(touch pwned)\nE',
    'ls #\ntouch pwned',
    'ls # \\\ntouch pwned',
  ],
  ...[
    'ls\r\ntouch pwned',
    'ls\0touch',
    "ls 'a",
    'ls "a',
    'ls \\',
    '"ls" ; touch pwned',
    "'ls'\ntouch pwned",
  ],
  ...['l?', '/bin/l*', '~/ls', 'ls;;touch pwned', 'ls;&touch pwned', 'ls ;\n\n touch pwned'],
] as const

describe('command escapes', () => {
  it.each(ESCAPES)('%j is never allowed by `ls *`', (command) => {
    expect(shell({ allow: ['ls *', 'ls'], ask: ['*'] }, command)).toBe('ask')
    expect(shell({ allow: ['ls *'], deny: ['*'] }, command)).toBe('deny')
    expect(shell({ allow: ['ls *'] }, command)).toBe('ask')
  })

  const AROUND = ['', ' ', '\t', '\n', ';', ' ;; ', ' && ', ' || ', ' | ', ' & ', '\\\n']
  it('stay denied before, after, or between harmless commands, in any spacing', () => {
    const rules = { allow: ['ls *', 'git status'], ask: ['*'] }
    const allowed = ESCAPES.flatMap((one) =>
      AROUND.flatMap((left) =>
        AROUND.flatMap((right) => [
          `${left}${one}${right}`,
          `ls -l${left}${one}`,
          `${one}${right}git status`,
          `ls${left} ${one}${right} ls`,
        ]),
      ),
    ).filter((command) => shell(rules, command) === 'allow')
    expect(allowed.length).toBeGreaterThan(1_000)
    const { pwned, finished } = executed([...new Set(allowed)])
    expect([pwned, finished]).toEqual(['', new Set(allowed).size])
  })

  /** By a real bash, in which the commands of these lines are functions. */
  function executed(lines: readonly string[]): { pwned: string; finished: number } {
    const heads = ['ls() { :; }', 'git() { :; }', 'touch() { echo "PWNED $LINENO"; }']
    const script = [...heads, ...lines.flatMap((line) => [line, 'wait; echo FINISHED'])].join('\n')
    const out = execFileSync('bash', [], { input: script, encoding: 'utf8', stdio: 'pipe' })
    const said = out.split('\n')
    return {
      pwned: said.filter((line) => line.startsWith('PWNED')).join(),
      finished: said.filter((line) => line === 'FINISHED').length,
    }
  }

  it('are genuine: the same bash executes what they hide', () => {
    expect(executed(['ls; touch pwned', 'ls $(touch >&2; touch)']).pwned).toContain('PWNED')
  })
})

describe('rules for other arguments', () => {
  it('the type of a value or a list does not bypass a restriction, and allow rules match strictly', () => {
    const given = (tool: ArgumentRules, args: object) =>
      judgeArguments(tool, 'mcp__bank__pay', args as Record<string, unknown>).rule
    const deny: ArgumentRules = { deny: [{ amount: '> 100' }, { force: true }, { to: 'evil@*' }] }
    for (const args of [
      { amount: 101 },
      { amount: '101' },
      { amount: ' 1e3 ' },
      { amount: [1, '200'] },
      { force: 'true' },
      { to: ['a@b', 'evil@c'] },
    ])
      expect([args, given(deny, args)]).toEqual([args, 'deny'])
    for (const args of [{ amount: '100' }, { force: 'false' }, { to: ['a@b'] }, { amount: '' }, {}])
      expect([args, given(deny, args)]).toEqual([args, 'allow'])
    expect(given({ allow: [{ amount: '<= 100' }], ask: ['*'] }, { amount: '1' })).toBe('ask')
  })

  const rule = (tool: string, rules: ArgumentRules, given: object) =>
    judgeArguments(rules, tool, given as Record<string, unknown>).rule

  it('paths match in every spelling', () => {
    const rules = { allow: ['src/**', '*.md'], deny: ['**/.env', '.env'], ask: ['*'] }
    for (const [path, wanted] of [
      ['src/a/b.ts', 'allow'],
      ['./src//a.ts', 'allow'],
      ['README.md', 'allow'],
      ['docs/README.md', 'ask'],
      ['src/../secret.txt', 'ask'],
      ['src/../.env', 'deny'],
      ['src/.env', 'deny'],
      ['../src/a.ts', 'ask'],
      ['/src/a.ts', 'ask'],
    ] as const)
      expect([path, rule('file_write', rules, { path })]).toEqual([path, wanted])
  })

  it('hosts match as they are connected to', () => {
    const rules = { allow: ['example.com', '*.example.com'], ask: ['*'] }
    for (const [url, wanted] of [
      ['https://example.com/a', 'allow'],
      ['https://DOCS.Example.com.:8443/', 'allow'],
      ['https://example.com@evil.test/', 'ask'],
      ['https://example.com.evil.test/', 'ask'],
      ['https://evil.test/?example.com', 'ask'],
      ['nonsense', 'ask'],
    ] as const)
      expect([url, rule('web_fetch', rules, { url })]).toEqual([url, wanted])
  })

  it('amounts and texts match by name', () => {
    const rules: ArgumentRules = {
      allow: [{ amount: '<= 100', currency: 'EUR' }],
      deny: [{ 'to.country': 'XX' }],
      ask: ['*'],
    }
    const pay = (given: object) => rule('mcp__bank__pay', rules, given)
    expect(pay({ amount: 100, currency: 'EUR' })).toBe('allow')
    expect(pay({ amount: 100.01, currency: 'EUR' })).toBe('ask')
    expect(pay({ amount: '100', currency: 'EUR' })).toBe('ask')
    expect(pay({ amount: 1 })).toBe('ask')
    expect(pay({ amount: 1, currency: 'EUR', to: { country: 'XX' } })).toBe('deny')
    expect(rule('mcp__bank__pay', { allow: [{ dry: true }] }, { dry: 'true' })).toBe('ask')
  })

  it('unknown arguments match `*` alone', () => {
    expect(judgeArguments(LS, 'shell_execute', undefined).rule).toBe('ask')
    expect(judgeArguments({ deny: ['rm *'] }, 'shell_execute', undefined).rule).toBe('ask')
  })
})

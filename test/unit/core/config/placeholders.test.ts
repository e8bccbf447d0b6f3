import { describe, expect, it } from 'vitest'
import { parseAgent } from '../../../../src/core/config/agent/agent.ts'
import { refusedWhenStrict } from '../../../../src/core/config/diagnostic.ts'
import { parseSchedule } from '../../../../src/core/config/schedule/schedule.ts'
import { argumentNamesIn } from '../../../../src/core/config/skill/arguments.ts'
import { fillingNote, fillSkill } from '../../../../src/core/config/skill/placeholders.ts'
import { parseSkill } from '../../../../src/core/config/skill/skill.ts'
import { LIMITS } from '../../../../src/core/limits.ts'
import { measured } from '../../../support/measured.ts'

// biome-ignore-start lint/suspicious/noTemplateCurlyInString: placeholders as people write them
const FOLDER = 'base/.agents/skills/deploy'
const filled = (text: string, args = '') =>
  fillSkill(text, { args, folder: FOLDER, session: 'ses_1' })

describe('fillSkill', () => {
  it.each([
    ['Fix $ARGUMENTS now.', '12 "b c"', 'Fix 12 "b c" now.'],
    ['Fix ${ARGUMENTS}.', '12', 'Fix 12.'],
    ['Fix {{args}}, {{ arguments }}.', 'x', 'Fix x, x.'],
    ['$ARGUMENTS[0] of $ARGUMENTS[1]', '12 "b c"', '12 of b c'],
    ['$1 for $2', '12 high', '12 for high'],
    ['$0 for $1', '12 high', '12 for high'],
    ['Run `gh issue view $1`.', '12', 'Run `gh issue view 12`.'],
    ['```text\n$ARGUMENTS\n```', 'a\nb', '```text\na\nb\n```'],
  ])('fills arguments: %j with %j', (text, args, expected) => {
    expect(filled(text, args)).toMatchObject({ text: expected, left: [], takesArguments: true })
  })

  const NAMES = ['issue', 'issue_branch', '', 'to']
  it.each([
    ['Fix $issue on $issue_branch.', '12 main', 'Fix 12 on main.'],
    ['Fix $issue: $ARGUMENTS', '12 "b c"', 'Fix 12: 12 "b c"'],
    ['$0 on $1 by $ARGUMENTS[1] in $to', 'a b c d', 'a on b by b in d'],
    ['```sh\ngit checkout "$issue"\n```', '12', '```sh\ngit checkout "12"\n```'],
  ])('fills named arguments: %j with %j', (text, args, expected) => {
    expect(fillSkill(text, { args, names: NAMES })).toMatchObject({
      ...{ text: expected, left: [], missing: [], takesArguments: true },
    })
  })

  it('reports which named arguments are missing, and leaves other names', () => {
    const filled = fillSkill('$issue on $to, \\$issue, $issues, ${HOME}', {
      args: '12',
      names: NAMES,
    })
    expect(filled).toMatchObject({ text: '12 on , \\$issue, $issues, ${HOME}', missing: ['to'] })
    expect(fillingNote(filled, '12')).toBe('[Missing arguments: to.]')
    expect(fillSkill('$issue', { args: '12' }).text).toBe('$issue')
  })

  it.each([
    ['[issue, branch]', ['issue', 'branch'], []],
    ['issue branch', ['issue', 'branch'], []],
    ['"issue, branch"', ['issue', 'branch'], []],
    ['\n  - name: issue\n    description: which', ['issue'], []],
    ['[issue, 7, "a b"]', ['issue', '', ''], ['arguments_form']],
    ['{ a: b }', [], ['arguments_form']],
    ['[a, a]', ['a', 'a'], ['arguments_form']],
  ])('reads `arguments: %s`', (written, names, codes) => {
    const text = `---\nname: deploy\ndescription: Deploys.\narguments: ${written}\n---\nGo.`
    expect(argumentNamesIn(text)).toEqual(names)
    const { found } = parseSkill(Buffer.from(text), 'deploy')
    expect(found.map(({ code }) => code)).toEqual(codes)
  })

  it.each([
    ['python ${CLAUDE_SKILL_DIR}/a.py', `python ${FOLDER}/a.py`],
    ['python $CLAUDE_SKILL_DIR/a.py', `python ${FOLDER}/a.py`],
    ['```sh\nsh ${CLAUDE_SKILL_DIR}/a.sh\n```', `\`\`\`sh\nsh ${FOLDER}/a.sh\n\`\`\``],
    ['node {baseDir}/a.js and {{baseDir}}/b', `node ${FOLDER}/a.js and ${FOLDER}/b`],
    ['${CLAUDE_PLUGIN_ROOT}/skills/deploy/a.py', 'base/.agents/skills/deploy/a.py'],
    ['ls $CLAUDE_PROJECT_DIR/src', 'ls ./src'],
    ['of ${CLAUDE_SESSION_ID}', 'of ses_1'],
  ])('fills folders and the session: %j', (text, expected) => {
    expect(filled(text)).toMatchObject({ text: expected, left: [] })
  })

  it.each([
    '```sh\nawk "{print $1}" "$2"\n```',
    "Use `awk '{print $1}'` there.",
    'It costs $5 million, $1,000, $1.50, $2/month or $3 per call.',
    'Escaped: \\$ARGUMENTS, \\$1, \\${CLAUDE_SKILL_DIR}',
    'Not ours: $ARGUMENTS_FILE, $1st, $arguments, $$1, $10, {{name}}, ${HOME}',
    'SKILL_DIR=/opt/x\nls $SKILL_DIR',
    'Mail a@b.md, use `@types/node.ts` and:\n```css\n@import a.css\n```',
    'Great!`code` and a!{b}',
  ])('leaves text that is not a placeholder: %j', (text) => {
    expect(filled(text, 'one two')).toEqual({
      ...{ text, takesArguments: false, left: [], missing: [], line: null },
    })
  })

  it.each([
    ['Status: !`git status`', '!`git status`'],
    ['Now !{git log}', '!{git log}'],
    ['```!\ngit status\n```', '```!'],
    ['See @src/utils/a.ts', '@src/utils/a.ts'],
    ['Use ${user_config.api_key}', '${user_config.api_key}'],
    ['@README.md', '@README.md'],
    ['See @{docs/a.md}', '@{docs/a.md}'],
    ['See #file:a.ts', '#file:a.ts'],
    ['Ask ${input:name}', '${input:name}'],
    ['${CLAUDE_PLUGIN_ROOT}/hooks/a.sh', '${CLAUDE_PLUGIN_ROOT}'],
    ['${CLAUDE_PLUGIN_DATA}/x', '${CLAUDE_PLUGIN_DATA}'],
    ['For $3', '$3'],
  ])('reports what it leaves: %j', (text, name) => {
    const found = filled(text, 'one two')
    expect(found).toMatchObject({ text, left: [name], line: 1 })
    expect(fillingNote(found, '')).toContain(name)
  })

  it('does not expand text that it has filled in', () => {
    const text = filled('$ARGUMENTS', '$1 ${CLAUDE_SKILL_DIR} $& !`x`')
    expect(text).toMatchObject({ text: '$1 ${CLAUDE_SKILL_DIR} $& !`x`', left: [] })
  })

  it('reports a text that expects arguments and gets none', () => {
    expect(fillingNote(filled('Fix $ARGUMENTS'), '')).toBe(
      '[The skill was opened without arguments.]',
    )
    expect(fillingNote(filled('Fix it'), '')).toBeUndefined()
  })

  it('bounds the result of many placeholders with long arguments', async () => {
    const many = '$ARGUMENTS '.repeat(50_000)
    const { text, left } = filled(many, 'x'.repeat(60_000))
    expect(text.length).toBeLessThan(many.length + LIMITS.file_body_bytes)
    expect(left).toEqual(['$ARGUMENTS'])
    const hostile = ['\n', '!{', '@{', '$1`', '{{ ', '@a.', '!`', '${CLAUDE_'].map((one) =>
      one.repeat(100_000),
    )
    const act = async () => hostile.map((one) => filled(one, 'a b').text.length)
    await measured('hostile texts', act, { wallMs: 5_000 })
  })
})

describe('findings about placeholders', () => {
  const head = (name: string, body: string) =>
    Buffer.from(`---\nname: ${name}\ndescription: d\n---\n\n${body}`)
  const BODY = 'Fix $ARGUMENTS in ${CLAUDE_SKILL_DIR}, $1.\nThen !`git status` of @a.md.\n'

  it('name what a skill cannot fill, with its line', () => {
    const { skill, found } = parseSkill(head('deploy', BODY), 'deploy')
    expect(skill).not.toBeNull()
    expect(found).toMatchObject([{ code: 'placeholder_unfilled', severity: 'warning', line: 7 }])
    expect(found[0]?.message).toMatch(/: !`git status`, @a\.md$/)
    expect(found.some(refusedWhenStrict)).toBe(false)
  })

  it('report that an agent and a schedule fill nothing', () => {
    const agent = parseAgent(head('helper', BODY), 'helper').found
    expect(agent).toMatchObject([{ code: 'placeholder_unfilled', severity: 'warning', line: 6 }])
    expect(agent[0]?.message).toContain('$ARGUMENTS, ${CLAUDE_SKILL_DIR}, !`git status`, @a.md')
    const schedule = parseSchedule(Buffer.from(`---\nevery: 1h\n---\n${BODY}`), 'nightly').found
    expect(schedule).toMatchObject([{ code: 'placeholder_unfilled', line: 4 }])
  })

  it('are empty for a text without placeholders', () => {
    const body = 'It costs $5. Mail a@b.md. Use `$1` and ${HOME}.\n'
    expect(parseAgent(head('helper', body), 'helper').found).toEqual([])
    expect(parseSkill(head('deploy', 'Fix $ARGUMENTS, $1.'), 'deploy').found).toEqual([])
  })
})
// biome-ignore-end lint/suspicious/noTemplateCurlyInString: placeholders as people write them

/** English texts of the page of usage. */

export const usage = {
  'usage.empty': 'No run was created in this range. A run counts on the day it was created:',
  'usage.choices': 'Range and grouping',
  'usage.by': 'Group by',
  'usage.by.agent': 'Agent',
  'usage.by.model': 'Model',
  'usage.by.kind': 'Origin',
  'usage.measure': 'Chart of',
  'usage.range': 'Range',
  'usage.range.exact': 'Between two days',
  'usage.range.inverted': 'The first day must not be after the last day.',
  'usage.days': 'Last {n} days',
  'usage.from': 'First day (UTC)',
  'usage.to': 'Last day (UTC)',
  'usage.cost': 'Cost',
  'usage.tokens': 'Tokens',
  'usage.runs': 'Runs',
  'usage.fanouts': 'Fan-outs',
  'usage.calls': 'Model calls',
  'usage.input': 'Input tokens',
  'usage.output': 'Output tokens',
  'usage.unpriced': 'Without a price',
  'usage.unpriced.hint':
    '{n, plural, one {# run or fan-out} other {# runs or fan-outs}} used only models without a ' +
    'price. Their tokens are counted, and their cost is not included.',
  'usage.prices': 'Prices in the policy',
  'usage.estimated': 'Some tokens are estimated, because a provider did not report them.',
  'usage.partial':
    'Only the newest runs of {days} are counted, because a report counts a limited number of runs. ' +
    'The actual numbers of this day are higher.',
  'usage.cut': 'Days before {day} are not included, because the maximum count was reached.',
  'usage.earlier': 'Show the earlier days',
  'usage.counted':
    'Covers runs that are not deleted. Work of subagents counts for the run that started them.',
  'usage.chart': '{measure} by day',
  'usage.table.day': '{measure} by day and group',
  'usage.table.agent': 'By agent',
  'usage.table.model': 'By model',
  'usage.table.kind': 'By origin',
  'usage.day': 'Day',
  'usage.total': 'Total',
  'usage.others': 'All others',
  'usage.other': '{n, plural, one {# further group} other {# further groups}}',
  'usage.other.hint': 'Only the 50 groups with the most tokens are listed.',
  'usage.group.none': 'No model called',
  'usage.group.fanouts': 'Fan-outs',
} as const

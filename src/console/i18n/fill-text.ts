/**
 * Template syntax of the console's texts: `{name}` inserts a value, and `{n, plural, one {…} other
 * {…}}` selects a plural form.
 */

export type Language = 'en' | 'zh'
export type Values = Readonly<Record<string, string | number>>

const PLURAL = /\{(\w+), plural, one \{([^{}]*)\} other \{([^{}]*)\}\}/g

/**
 * Fills a template by the plural rules of the language. Placeholders inside inserted values are not
 * expanded.
 */
export function fillText(text: string, values: Values, of: Language): string {
  const pluralized = text.replaceAll(PLURAL, (_, name: string, singular: string, other: string) => {
    const value = Number(values[name] ?? 0)
    const form = new Intl.PluralRules(of).select(value) === 'one' ? singular : other
    return form.replaceAll('#', new Intl.NumberFormat(of).format(value))
  })
  return pluralized.replaceAll(/\{(\w+)\}/g, (place, name: string) =>
    name in values ? String(values[name]) : place,
  )
}

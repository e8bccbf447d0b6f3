/** Where texts of forms that were not sent are kept; nobody finds those of one who signed out. */

export const FORM_DRAFTS = 'strata.form.draft '

export function forgetForms(): void {
  for (const key of Object.keys(sessionStorage))
    if (key.startsWith(FORM_DRAFTS)) sessionStorage.removeItem(key)
}

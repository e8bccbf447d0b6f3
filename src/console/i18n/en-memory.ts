/** English texts of the page of memory. */

export const memory = {
  'memory.files': 'Memory files',
  'memory.file': 'Memory file',
  'memory.search': 'Search memory',
  'memory.passages': 'Passages',
  'memory.line': 'line {from}',
  'memory.lines': 'lines {from} to {to}',
  'memory.found.none': 'No passage contains these words.',
  'memory.found.stale': 'Some changed files are not in the index yet. Search again.',
  'memory.scope.shared': 'Shared by all agents',
  'memory.scope.agents': 'Agents',
  'memory.scope.roles': 'Roles',
  'memory.scope.sessions': 'Conversations',
  'memory.scope.others': 'Other files',
  'memory.empty':
    'There is no memory. Agents write memory as they work, or you write the first file:',
  'memory.gone': 'The file {path} does not exist or has been deleted.',
  'memory.unsaved': 'Unsaved changes',
  'memory.readonly': 'This page is read-only.',
  'memory.shortcuts': '`j` `k` move · `/` search · `Ctrl-S` save',
  'memory.discard': 'Discard',
  'memory.saved': 'Saved.',
  'memory.saved.redacted': 'Saved. Secret values were removed from the text.',
  'memory.conflict': 'The file changed while you edited it',
  'memory.conflict.hint':
    'Your text is kept and not saved. Lines with − are only in the saved file; lines with + are ' +
    'only in your text.',
  'memory.conflict.deleted': 'The file was deleted while you edited it',
  'memory.conflict.deleted.hint': 'Your text is kept and not saved.',
  'memory.conflict.diff': 'Saved file and your text',
  'memory.conflict.overwrite': 'Save my text',
  'memory.conflict.take': 'Take the saved file',
  'memory.append': 'Append',
  'memory.append.title': 'Append entries',
  'memory.append.heading': 'Heading',
  'memory.append.heading.hint': 'Optional. Created if it does not exist.',
  'memory.append.content': 'Entries',
  'memory.append.content.hint':
    'List items, paragraphs, or code blocks. Entries that exist already are skipped.',
  'memory.append.done':
    '{n, plural, one {# entry was appended} other {# entries were appended}}; ' +
    '{skipped} existed already.',
  'memory.new': 'New file',
  'memory.new.path': 'Path',
  'memory.new.path.hint':
    'Such as `shared/MEMORY.md`, `agents/triage/notes.md`, or `roles/support/notes.md`',
  'memory.new.content': 'Text',
  'memory.new.create': 'Create',
  'memory.delete': 'Delete the file',
  'memory.delete.sure':
    'Deletes {path}. Searches no longer find it. Its text is kept as a version, which can be ' +
    'restored.',
  'memory.versions': 'Versions',
  'memory.versions.hint': 'Each write and each deletion is a version. Appending creates none.',
  'memory.versions.put': 'written',
  'memory.versions.delete': 'deleted',
  'memory.versions.found': 'found before a write',
  'memory.versions.none': 'This file has no earlier text.',
  'memory.versions.number': 'Version {n}',
  'memory.versions.by': 'by {name}',
  'memory.versions.same': 'This version is equal to the current file.',
  'memory.versions.unread': 'The file was deleted; this version has no text.',
  'memory.versions.diff': 'Current file and version',
  'memory.versions.hint.diff':
    'Lines with − are only in the current file; lines with + are only in this version.',
  'memory.versions.restore': 'Restore this version',
  'memory.versions.restored': 'The version was restored.',
  'memory.index': 'Search index',
  'memory.index.count':
    '{n, plural, one {# file} other {# files}}, ' +
    '{passages, plural, one {# passage} other {# passages}}',
  'memory.index.current': 'Up to date',
  'memory.index.stale': 'Not up to date',
  'memory.index.rebuild': 'Rebuild',
  'memory.index.rebuilding': '{n, plural, one {# file read…} other {# files read…}}',
  'memory.index.rebuilt': 'The index was rebuilt.',
} as const

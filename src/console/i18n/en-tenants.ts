/** English texts of the page of tenants. */

export const tenants = {
  'tenants.new': 'New tenant',
  'tenants.create': 'Create',
  'tenants.tenant': 'Tenant',
  'tenants.empty': 'There is no tenant besides the default one. Each tenant has its own keys:',
  'tenants.gone': 'This tenant does not exist.',
  'tenants.id': 'ID',
  'tenants.id.hint': 'Part of the names of all its data. It cannot be changed or reused.',
  'tenants.id.wrong': 'Enter 2 to 31 characters from a-z, 0-9, and “-”, starting with a letter.',
  'tenants.name': 'Name',
  'tenants.encryption': 'Encryption',
  'tenants.encryption.none': 'None',
  'tenants.encryption.tenant_key': 'A key of the tenant',
  'tenants.encryption.choice': 'Encrypt rows and files with a key of the tenant',
  'tenants.encryption.hint':
    'It cannot be changed later. Deletion destroys the key first, so copies become unreadable.',
  'tenants.created': 'Created',
  'tenants.updated': 'Changed',
  'tenants.deleted': 'Deleted',
  'tenants.deleted.counts': '{rows} partitions and {objects} objects so far',
  'tenants.cancelling': 'Active runs are being cancelled.',
  'tenants.audit': 'Changes of this tenant',
  'tenants.state.active': 'Active',
  'tenants.state.paused': 'Paused',
  'tenants.state.suspended': 'Suspended',
  'tenants.state.deleting': 'Deleting',
  'tenants.state.deleted': 'Deleted',
  'tenants.about.active': 'Requests are accepted, and runs work.',
  'tenants.about.paused': 'Requests are accepted. No model or tool call begins.',
  'tenants.about.suspended': 'Requests may only read. No model or tool call begins.',
  'tenants.about.deleting': 'Keys are rejected, and all data is being deleted.',
  'tenants.about.deleted': 'All data is deleted. The ID stays reserved.',
  'tenants.edit': 'Edit',
  'tenants.quotas.hint':
    'An empty field means no quota. A quota applies to new work within 5 seconds.',
  'tenants.quotas.wrong':
    'Enter a whole number, or dollars such as 12.50; at most 1,000 active runs or subagents.',
  'tenants.quotas.most': 'at most {n}',
  'tenants.pause': 'Pause',
  'tenants.pause.sure':
    'Within 5 seconds, no model or tool call of “{name}” begins. Calls in progress complete.',
  'tenants.suspend': 'Suspend',
  'tenants.suspend.sure':
    'Requests of “{name}” may only read, and no model or tool call begins. Its data is kept.',
  'tenants.suspend.cancel': 'Also cancel active runs and fan-outs',
  'tenants.resume': 'Resume',
  'tenants.resume.sure': 'Runs, schedules, and webhook deliveries of “{name}” continue.',
  'tenants.export': 'Export',
  'tenants.delete': 'Delete',
  'tenants.delete.sure':
    'All data of “{name}” is deleted: keys, runs, conversations, files, and its audit log. This ' +
    'cannot be undone.',
  'tenants.delete.type': 'Enter {id} to confirm',
} as const

/** English texts of the page of secrets. */

export const secrets = {
  'secrets.new': 'New secret',
  'secrets.create': 'Create',
  'secrets.secret': 'Secret',
  'secrets.empty':
    'There is no secret. A secret holds a credential for an MCP server, a model provider, or web search:',
  'secrets.gone': 'This secret has been deleted, or it never existed.',
  'secrets.name': 'Name',
  'secrets.name.hint':
    'As servers refer to it, or the variable of a key, such as `OPENAI_API_KEY`.',
  'secrets.name.wrong': 'Start with a letter or “_”, followed by letters, digits, and “_”.',
  'secrets.value': 'Value',
  'secrets.value.hint': 'It is encrypted and never shown again.',
  'secrets.value.lines': 'Several lines, such as a PEM file',
  'secrets.hosts': 'Hosts',
  'secrets.hosts.hint':
    'Hosts that may receive it, separated by spaces: `example.com`, `*.example.com`, or `stdio` for local programs.',
  'secrets.hosts.any': 'Every host may receive it',
  'secrets.any': 'Every host',
  'secrets.uses': 'Uses',
  'secrets.use.mcp': 'MCP servers',
  'secrets.use.model': 'Model providers',
  'secrets.use.search': 'Web search',
  'secrets.version': 'Version',
  'secrets.updated': 'Changed',
  'secrets.created': 'Created',
  'secrets.audit': 'Changes and reads of this secret',
  'secrets.warnings': 'Warnings',
  'secrets.config': 'A server in `config.toml` sends it as `Authorization: Bearer` with:',
  'secrets.replace': 'Replace',
  'secrets.replace.of': 'Replace {name}',
  'secrets.delete': 'Delete',
  'secrets.delete.sure':
    'Servers and providers no longer get “{name}”. A variable of the deployment with this name applies again, if there is one.',
} as const

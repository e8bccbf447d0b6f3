/** Chinese texts of the page of secrets. */

import type { secrets as english } from './en-secrets.ts'

export const secrets: Readonly<Record<keyof typeof english, string>> = {
  'secrets.new': '新建机密',
  'secrets.create': '创建',
  'secrets.secret': '机密',
  'secrets.empty': '还没有机密。机密保存 MCP 服务器、模型提供商或网页搜索的凭据：',
  'secrets.gone': '此机密已被删除，或从未存在。',
  'secrets.name': '名称',
  'secrets.name.hint': '服务器引用的名称，或密钥的变量名，例如 `OPENAI_API_KEY`。',
  'secrets.name.wrong': '请以字母或“_”开头，其后只能是字母、数字和“_”。',
  'secrets.value': '值',
  'secrets.value.hint': '值会被加密保存，并且不会再次显示。',
  'secrets.value.lines': '多行，例如 PEM 文件',
  'secrets.hosts': '主机',
  'secrets.hosts.hint':
    '可以接收它的主机，以空格分隔：`example.com`、`*.example.com`，本地程序使用 `stdio`。',
  'secrets.hosts.any': '所有主机都可以接收',
  'secrets.any': '所有主机',
  'secrets.uses': '用途',
  'secrets.use.mcp': 'MCP 服务器',
  'secrets.use.model': '模型提供商',
  'secrets.use.search': '网页搜索',
  'secrets.version': '版本',
  'secrets.updated': '更改时间',
  'secrets.created': '创建时间',
  'secrets.audit': '此机密的更改和读取记录',
  'secrets.warnings': '警告',
  'secrets.config': '服务器在 `config.toml` 中以 `Authorization: Bearer` 发送它：',
  'secrets.replace': '替换',
  'secrets.replace.of': '替换 {name}',
  'secrets.delete': '删除',
  'secrets.delete.sure': '服务器和提供商将不再获得“{name}”。如果部署有同名变量，则会改用该变量。',
}

/** `file_list`: lists the files of a folder with their sizes. */

import { type BuiltinTool, object, text } from './tool.ts'

export const fileList = {
  name: 'file_list',
  mode: 'repeatable',
  thing: 'files',
  matched: 'path',
  foreign: 'LS list list_dir listDirectory search/listDirectory',
  description: 'Lists files in the working folder with their sizes in bytes.',
  input_schema: object({ path: text('Folder to list; default: all files') }, []),
} as const satisfies BuiltinTool

/** The icons of the page: strokes of one width on a field of 24. */

const PATHS = {
  chat: 'M4 5h16v11H9l-5 4z',
  runs: 'M4 6h10M4 12h16M4 18h7M18 6v0M15 18h5',
  fanouts: 'M4 4h6v6H4zM14 4h6v6h-6zM4 14h6v6H4zM14 14h6v6h-6z',
  approvals: 'M9 12l2 2 4-5M12 3l8 3v6c0 5-3.5 8-8 9-4.500-1-8-4-8-9V6z',
  layers: 'M12 3l9 5-9 5-9-5zM3 12.500l9 5 9-5M3 17l9 5 9-5',
  webhooks: 'M8 17a4 4 0 1 1-3-6M8 17h8M16 17a4 4 0 1 0 1-5M12 7l-4 8M12 7a3 3 0 1 1 3 1l3 4',
  schedules: 'M12 7v5l3 2M12 3a9 9 0 1 1 0 18 9 9 0 0 1 0-18z',
  memory: 'M5 4h11l3 3v13H5zM9 4v5h6V4M8 20v-6h8v6',
  usage: 'M4 20V10M10 20V4M16 20v-7M21 20H3',
  settings:
    'M4 7h10M18 7h2M4 17h2M10 17h10' +
    'M14 7a2 2 0 1 0 4 0 2 2 0 0 0-4 0M6 17a2 2 0 1 0 4 0 2 2 0 0 0-4 0',
  menu: 'M4 6h16M4 12h16M4 18h16',
  close: 'M6 6l12 12M18 6L6 18',
  plus: 'M12 5v14M5 12h14',
  search: 'M11 4a7 7 0 1 1 0 14 7 7 0 0 1 0-14zM16 16l5 5',
  down: 'M6 9l6 6 6-6',
  right: 'M9 6l6 6-6 6',
  left: 'M15 6l-6 6 6 6',
  dots: 'M5 12h.01M12 12h.01M19 12h.01',
  stop: 'M7 7h10v10H7z',
  send: 'M12 19V5M6 11l6-6 6 6',
  clip: 'M20 11l-8.500 8.500a5 5 0 0 1-7-7L13 4a3.400 3.400 0 0 1 5 5l-8.500 8.500a1.700 1.700 0 0 1-2.500-2.500L14 8',
  retry: 'M4 12a8 8 0 1 1 2.500 5.800M4 19v-5h5',
  fork: 'M7 4v16M7 10c0 5 10 2 10 8M7 4a2 2 0 1 0 0 .01M17 20v-2',
  tool: 'M14 6a4 4 0 0 0 5 5l-9 9a2.500 2.500 0 0 1-4-4l9-9zM14 6l2-3 4 4-3 2',
  agent: 'M7 9h10v9H7zM12 9V5M9.500 13h.01M14.500 13h.01M4 13v2M20 13v2',
  book: 'M5 4h9a4 4 0 0 1 4 4v12H9a4 4 0 0 1-4-4zM9 8h5',
  check: 'M5 13l4 4L19 7',
  warn: 'M12 4l9 16H3zM12 10v4M12 17h.01',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  file: 'M6 3h8l4 4v14H6zM14 3v4h4',
  folder: 'M3 6h6l2 2h10v11H3z',
  upload: 'M12 16V5M7 10l5-5 5 5M4 19h16',
  play: 'M8 5l11 7-11 7z',
  key: 'M14 10a4 4 0 1 0-4 4h1l2 2h2v2h2v2h3v-3l-6.500-6.500',
  trash: 'M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13',
  edit: 'M4 20l1-4L16 5l3 3L8 19z',
  external: 'M14 4h6v6M20 4l-9 9M18 14v6H4V6h6',
} as const

export type IconName = keyof typeof PATHS

export function Icon({ name, size = 18 }: { readonly name: IconName; readonly size?: number }) {
  return (
    <svg
      aria-hidden="true"
      className="shrink-0"
      fill="none"
      height={size}
      stroke="currentColor"
      strokeLinecap="round"
      strokeLinejoin="round"
      strokeWidth="1.8"
      viewBox="0 0 24 24"
      width={size}
    >
      <path d={PATHS[name]} />
    </svg>
  )
}

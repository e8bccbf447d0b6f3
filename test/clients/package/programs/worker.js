export * from 'strata/worker'
export { default } from 'strata/worker'

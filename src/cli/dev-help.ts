/** Below `strata dev --help`: of the scripted model's grammar all that is good to play with. */

export const SCRIPTS = `
Variables of a file .env here are read; those of the shell go before them. Without a provider's key
a scripted model answers: it repeats what it is asked, or follows lines of an input such as
  @say Hello {input}        answers; {last} is the last tool result, {results} counts subagents
  @call todo {"todos": []}  asks for a tool; several such lines are calls at once
  @text I look first.       stands beside the calls of one answer
  @spawn 3 {"task": "@say part {i}"}   starts three subagents
  @await                    waits until all of them have answered
  @then                     ends an answer, so that more calls can follow
  @slow 2000                thinks for two seconds
  @fail 500 times=2         fails twice`

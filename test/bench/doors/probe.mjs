/**
 * Loaded into each contender with `--import`. Reports the CPU time of the process when the benchmark asks for it, and
 * ends the process when the benchmark ends.
 */
process.on('message', (message) => {
  if (message === 'cpu') process.send({ cpu: process.cpuUsage() })
})
process.on('disconnect', () => process.exit(0))

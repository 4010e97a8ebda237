// The least that a Swift program can be: what `grouplog-capture add` takes beyond this is its own.
print("done")

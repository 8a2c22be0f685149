package io.volume4j.inmemory.sim;

/**
 * A process that runs a {@link HostProgram}.
 *
 * @since 0.1.0
 */
public final class HostProcess extends SimProcess {
    private final HostProgram program;

    HostProcess(String name, Simulation world, HostProgram program) {
        super(name, world);
        this.program = program;
    }

    @Override
    void begin() {
        program.start(new HostPorts(this, newLoop(), newCluster()));
    }

    @Override
    void died() {
        // All that is left of an incarnation are its loop and its watches, which end with every process.
    }

    /** The task as a call of this process, which it may not outlive. */
    Runnable mortal(Runnable task) {
        int mine = incarnation();
        return () -> {
            if (alive() && incarnation() == mine) {
                world().traffic().run(this, task);
            }
        };
    }
}

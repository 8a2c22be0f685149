package io.volume4j.core.steplog;

import io.volume4j.core.engine.Engine;
import io.volume4j.core.engine.EventLoop;
import io.volume4j.core.engine.Step;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The log lines of controllers; {@code docs/logs.md} lists them. */
public final class ControlLog {
    private static final Logger LOG = LoggerFactory.getLogger(ControlLog.class);

    private ControlLog() {}

    /**
     * Logs each step with the controller's name.
     *
     * @param names the keys and values that identify the step's objects
     * @param next called for each step as well
     */
    public static <K, S extends Step> Engine.Observer<K, S> steps(
            String controller, EventLoop loop, StepLog.Names<K, S> names, Engine.Observer<K, S> next) {
        StepLog.Names<K, S> named =
                (line, key, step) -> names.name(line.addKeyValue("controller", controller), key, step);
        return new LoggedSteps<>(new StepLog<>(LOG, loop, named), next);
    }

    public static void started(String controller) {
        LOG.atInfo().addKeyValue("controller", controller).log("controller started");
    }

    public static void stopped(String controller, int callsNotReturned) {
        LOG.atInfo()
                .addKeyValue("controller", controller)
                .addKeyValue("callsNotReturned", callsNotReturned)
                .log("controller stopped");
    }

    public static void leads(String controller, long epoch) {
        LOG.atInfo()
                .addKeyValue("controller", controller)
                .addKeyValue("epoch", epoch)
                .log("controller leads");
    }

    public static void leadsNoMore(String controller) {
        LOG.atInfo().addKeyValue("controller", controller).log("controller leads no more");
    }
}

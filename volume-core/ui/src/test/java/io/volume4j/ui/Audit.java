package io.volume4j.ui;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import org.slf4j.LoggerFactory;

/** Reads the audit log. */
final class Audit implements AutoCloseable {
    private final Logger logger = (Logger) LoggerFactory.getLogger("io.volume4j.ui.audit");
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();

    Audit() {
        logger.setLevel(Level.INFO);
        log.start();
        logger.addAppender(log);
    }

    List<String> lines() {
        return List.copyOf(log.list).stream().map(ILoggingEvent::getMessage).toList();
    }

    /** The values of all lines. */
    List<String> values() {
        return List.copyOf(log.list).stream()
                .flatMap(line -> line.getKeyValuePairs().stream())
                .map(pair -> String.valueOf(pair.value))
                .toList();
    }

    @Override
    public void close() {
        logger.detachAppender(log);
        logger.setLevel(null);
    }
}

package io.volume4j.examples.agent.log;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ConfiguratorRank;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.joran.spi.ConsoleTarget;
import ch.qos.logback.core.spi.ContextAwareBase;
import java.util.stream.Stream;

/**
 * The program's log: INFO and above, on standard error. It is configured here and not in an XML file, because reading that takes
 * logback a sixth of the program's start. A configuration file that logback finds has precedence. Logback creates this class with
 * {@code ServiceLoader}.
 */
@ConfiguratorRank(ConfiguratorRank.CUSTOM_HIGH_PRIORITY)
public final class StandardErrorLog extends ContextAwareBase implements Configurator {
    private static final String PATTERN = "%-5level %logger{0} %msg %kvp%n%nopex";

    @Override
    public ExecutionStatus configure(LoggerContext loggers) {
        if (hasFile()) {
            return ExecutionStatus.INVOKE_NEXT_IF_ANY;
        }
        Logger root = loggers.getLogger(Logger.ROOT_LOGGER_NAME);
        root.setLevel(Level.INFO);
        root.addAppender(appender(loggers));
        return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
    }

    private static boolean hasFile() {
        return System.getProperty("logback.configurationFile") != null
                || Stream.of("/logback-test.xml", "/logback.xml")
                        .anyMatch(name -> StandardErrorLog.class.getResource(name) != null);
    }

    /** Lines with their key-value pairs and without stack traces. */
    static ConsoleAppender<ILoggingEvent> appender(LoggerContext loggers) {
        PatternLayoutEncoder encoder = new PatternLayoutEncoder();
        encoder.setContext(loggers);
        encoder.setPattern(PATTERN);
        encoder.start();
        ConsoleAppender<ILoggingEvent> appender = new ConsoleAppender<>();
        appender.setContext(loggers);
        appender.setTarget(ConsoleTarget.SystemErr.getName());
        appender.setEncoder(encoder);
        appender.start();
        return appender;
    }
}

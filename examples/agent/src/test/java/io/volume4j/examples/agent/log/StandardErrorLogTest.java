package io.volume4j.examples.agent.log;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.Configurator.ExecutionStatus;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;
import org.slf4j.event.KeyValuePair;

/** How the program's log looks, and when it is another one. */
class StandardErrorLogTest {
    private final LoggerContext loggers = new LoggerContext();

    @Test
    void aLineHasItsLevelClassTextAndPairsAndNoStackTrace() {
        ConsoleAppender<ILoggingEvent> log = StandardErrorLog.appender(loggers);
        LoggingEvent event = new LoggingEvent(
                "", loggers.getLogger("io.volume4j.Some"), Level.WARN, "no luck", new Exception("why"), null);
        event.setKeyValuePairs(List.of(new KeyValuePair("pod", "writer")));

        String line = new String(log.getEncoder().encode(event), StandardCharsets.UTF_8);

        assertThat(line).isEqualTo("WARN  Some no luck pod=\"writer\"" + System.lineSeparator());
        assertThat(log.getTarget()).isEqualTo("System.err");
    }

    @Test
    void aFileOfLogbackHasPrecedence() {
        // that of these tests is there
        assertThat(new StandardErrorLog().configure(loggers)).isEqualTo(ExecutionStatus.INVOKE_NEXT_IF_ANY);
        assertThat(loggers.getLogger("ROOT").iteratorForAppenders()).isExhausted();
    }

    @Test
    void logbackFindsIt() {
        assertThat(ServiceLoader.load(Configurator.class)).hasAtLeastOneElementOfType(StandardErrorLog.class);
    }
}

package io.volume4j.ui.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.Pipe;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Reads and writes that the other side does not let go on. */
@Timeout(60)
class WriteLimitTest {
    @Test
    void aWriteThatIsNotTakenEndsWithItsConnectionAndTheThreadServesOn() throws Exception {
        Pipe pipe = Pipe.open();
        try (WriteLimit limit = new WriteLimit(Duration.ofMillis(10), Thread::new);
                Pipe.SourceChannel reader = pipe.source();
                Pipe.SinkChannel writer = pipe.sink()) {
            assertThatThrownBy(() -> limit.write(() -> {
                        while (writer.write(ByteBuffer.allocate(1 << 16)) >= 0) {
                            // Until the pipe is full and the write blocks.
                        }
                    }))
                    .isInstanceOf(ClosedByInterruptException.class);
            assertThat(reader.isOpen()).isTrue();
            assertThat(writer.isOpen()).isFalse();
            assertThat(Thread.currentThread().isInterrupted()).isFalse();
        }
    }

    @Test
    void whatEndsInTimeGivesItsResult() throws Exception {
        try (WriteLimit limit = new WriteLimit(Duration.ofHours(1), Thread::new)) {
            assertThat(limit.<String>within(() -> "read")).isEqualTo("read");
        }
    }

    /** The server must not log it as a request that failed by a defect. */
    @Test
    void whatIsWrittenToAServerThatWasClosedEndsAsTheConnectionDoes() {
        WriteLimit limit = new WriteLimit(Duration.ofHours(1), Thread::new);
        limit.close();

        assertThatThrownBy(() -> limit.<String>within(() -> "read"))
                .isInstanceOf(IOException.class)
                .hasMessage("the server was closed");
    }
}

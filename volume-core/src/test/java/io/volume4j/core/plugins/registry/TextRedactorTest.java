package io.volume4j.core.plugins.registry;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is left of a text or an exception that tells a secret. */
class TextRedactorTest {
    private static final String VALUE = "s3cr3t/+ key\\";
    private static final TextRedactor SECRETS =
            TextRedactor.of(List.of(VALUE, "one line\nand the second line\nEND", "abc", " "));

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            tried with 's3cr3t/+ key\\' for 3 s   | tried with '***' for 3 s
            quoted "s3cr3t/+ key\\\\"           | quoted "***"
            ?p=s3cr3t%2F%2B+key%5C&x=1            | ?p=***&x=1
            Basic czNjcjN0Lysga2V5XA==            | Basic ***==
            and the second line is wrong          | *** is wrong
            END of it, and its last               | END of it, and its last
            cut at s3cr3t/+… for 3 s              | cut at ***… for 3 s
            {"p":"s3cr3t\\/\\u002b key\\\\"}           | {"p":"***"}
            mode abc, abcdef and xabc             | mode ***, abcdef and xabc
            nothing of it                         | nothing of it
            """)
    void hasNoSecretInAnyFormInWhichTheyAreRepeated(String text, String clean) {
        assertThat(SECRETS.without(text)).isEqualTo(clean);
    }

    @Test
    void meansTheSameAsBefore() {
        VolumeException failure = VolumeException.finalFailure("login failed with " + VALUE)
                .provingAbsence()
                .withAdvice("is " + VALUE + " right?");

        VolumeException clean = SECRETS.without(failure);

        assertThat(clean.kind()).isEqualTo(FailureKind.FINAL);
        assertThat(clean.provesAbsent()).isTrue();
        assertThat(clean.reason()).isEqualTo("login failed with ***");
        assertThat(clean.advice()).isEqualTo("is *** right?");
        assertThat(clean.getStackTrace()).isEqualTo(failure.getStackTrace());
    }

    @Test
    void namesTheHolderOfADanglingAttachment() {
        VolumeException clean = SECRETS.without(VolumeException.dangling("held, says " + VALUE, "n2"));

        assertThat(clean.kind()).isEqualTo(FailureKind.DANGLING);
        assertThat(clean.holder()).isEqualTo("n2");
    }

    @Test
    void isTheVeryExceptionThatTellsNothing() {
        VolumeException failure = VolumeException.transientFailure("later").withCause(new IllegalStateException("why"));

        assertThat(SECRETS.without(failure)).isSameAs(failure);
    }

    /** The depth of a chain, suppressed exceptions, and texts that only toString tells. */
    @Test
    void hidesItHoweverDeepItIs() {
        IllegalStateException deepest = new IllegalStateException("mount -o password=" + VALUE);
        deepest.addSuppressed(new RuntimeException("cleaning up " + VALUE));
        VolumeException failure = VolumeException.uncertain("mount failed")
                .withCause(new RuntimeException("wrapped", new Quiet(deepest)));
        deepest.addSuppressed(failure);

        VolumeException clean = SECRETS.without(failure);

        assertThat(printed(clean)).doesNotContain("s3cr3t").contains("IllegalStateException", "wrapped", "cleaning up");
        assertThat(clean.kind()).isEqualTo(FailureKind.UNCERTAIN);
        assertThat(clean.getMessage()).isEqualTo("mount failed");
    }

    @Test
    void replacesAnExceptionOfAnyClass() {
        IOException failure = new IOException("bad " + VALUE);

        assertThat(SECRETS.discloses(failure)).isTrue();
        assertThat(SECRETS.undisclosed(failure)).hasMessage("java.io.IOException: bad ***");
        assertThat(SECRETS.discloses(new IOException("bad disk"))).isFalse();
    }

    private static String printed(Throwable failure) {
        StringWriter text = new StringWriter();
        failure.printStackTrace(new PrintWriter(text));
        return text.toString();
    }

    /** Says nothing in its message and all in its text. */
    @SuppressWarnings("OverrideThrowableToString") // the only place where it tells
    private static final class Quiet extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Quiet(Throwable cause) {
            super(null, cause);
        }

        @Override
        public String toString() {
            return "quiet " + VALUE;
        }
    }
}

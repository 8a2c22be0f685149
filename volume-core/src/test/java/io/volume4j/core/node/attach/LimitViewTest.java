package io.volume4j.core.node.attach;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LimitViewTest {
    @ParameterizedTest(name = "object {0}, says {1}, known {2}, published {3} by us {4}: {5}")
    @CsvSource(textBlock = """
                    false, true,  5, ,  false, NOTHING
                    true,  false, 5, ,  false, NOTHING
                    true,  true,   , ,  false, ASK
                    true,  true,   , 5, true,  ASK
                    true,  true,  5, ,  false, PUBLISH
                    true,  true,  5, 7, false, PUBLISH
                    true,  true,  5, 5, false, NOTHING
                    true,  true,  0, ,  false, NOTHING
                    true,  true,  0, 7, false, NOTHING
                    true,  true,  0, 7, true,  PUBLISH
                    """)
    void tellsWhatThePluginSaysAndRemovesOnlyItsOwn(
            boolean nodeThere,
            boolean reports,
            @Nullable Long known,
            @Nullable Long published,
            boolean publishedHere,
            LimitView.Action expected) {
        LimitView view = new LimitView(nodeThere, reports, known, published, publishedHere, LimitView.Entry.STANDS);

        assertThat(view.next()).isEqualTo(expected);
    }

    @ParameterizedTest(name = "object {0}, says {1}, entry {2}: {3}")
    @CsvSource(textBlock = """
                    true,  true,  TO_WRITE,  WRITE_ENTRY
                    true,  true,  STANDS,    NOTHING
                    false, true,  TO_WRITE,  NOTHING
                    true,  false, TO_REMOVE, REMOVE_ENTRY
                    false, false, TO_REMOVE, REMOVE_ENTRY
                    """)
    void writesTheDriversEntryOnceTheLimitStands(
            boolean nodeThere, boolean reports, LimitView.Entry entry, LimitView.Action expected) {
        assertThat(new LimitView(nodeThere, reports, 5L, 5L, true, entry).next())
                .isEqualTo(expected);
    }
}

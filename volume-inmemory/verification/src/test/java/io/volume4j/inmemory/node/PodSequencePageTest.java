package io.volume4j.inmemory.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.journal.JournalEntry;
import io.volume4j.core.node.MountState;
import io.volume4j.core.node.state.MountRow;
import io.volume4j.core.node.state.RowCodec;
import io.volume4j.core.node.state.VolumeRow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/** docs/states.md draws in which order a pod's life is written to the journal and asked of the plugin. */
class PodSequencePageTest {
    private static final String HEAD = "<!-- drawn: a pod comes and goes -->\n";

    private final NodeHarness node = NodeHarness.withMachine(1);
    private final List<String> lines = new ArrayList<>(List.of(
            "```mermaid",
            "sequenceDiagram",
            "    participant C as Cluster",
            "    participant N as Node's loop",
            "    participant J as Journal",
            "    participant P as Plugin"));

    private int callsSeen;

    @Test
    void thePageDrawsWhatHappensToAPodWithOneClaim() throws IOException {
        node.observeJournal(this::appended);
        node.boundClaim("data");
        node.start().settle();
        say("C->>N: pod a with claim data");
        node.pod("a", "data");
        node.settle();
        callsUntilNow();
        assertThat(node.mounted("a").volumes()).containsKey("data");
        say("N->>C: pod a is mounted");
        say("C->>N: pod a is gone");
        node.deletePod("a");
        node.settle();
        callsUntilNow();
        node.nothingIsLeft();
        lines.add("```");

        Path page = Path.of(System.getProperty("volume4j.root")).resolve("docs/states.md");
        String text = Files.readString(page);
        int begin = text.indexOf(HEAD) + HEAD.length();
        int end = text.indexOf("<!-- end -->", begin);
        String drawn = String.join("\n", lines) + "\n";
        if ("write".equals(System.getProperty("volume4j.draw"))) {
            Files.writeString(page, text.substring(0, begin) + drawn + text.substring(end));
            return;
        }
        assertThat(text.substring(begin, end))
                .as("what docs/states.md draws; -Dvolume4j.draw=write draws it anew")
                .isEqualTo(drawn);
    }

    /** The harness keeps what the plugin was asked for, so what was asked before this entry stands there by now. */
    private void appended(JournalEntry entry) {
        callsUntilNow();
        switch (entry.type()) {
            case RowCodec.VOLUME -> volume(RowCodec.readVolume(entry.payload()));
            case RowCodec.VOLUME_GONE -> say("N->>J: nothing of the volume is here");
            case RowCodec.MOUNT -> mount(RowCodec.readMount(entry.payload()));
            case RowCodec.MOUNT_GONE -> say("N->>J: pod a has no mount of it");
            case RowCodec.FORMAT_BEGUN -> say("N->>J: a format is begun");
            case RowCodec.FORMAT_ENDED -> say("N->>J: the format has ended");
            default -> throw new AssertionError("no row has type " + entry.type());
        }
    }

    private void volume(VolumeRow row) {
        say("N->>J: volume is " + word(row.attach().name()) + ", device " + word(row.device()));
    }

    private void mount(MountRow row) {
        say("N->>J: mount for pod a is " + word(row.state()));
    }

    private static String word(MountState state) {
        return word(state.name());
    }

    private static String word(String state) {
        return state.toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    private void callsUntilNow() {
        List<String> calls = node.calls();
        for (String call : calls.subList(callsSeen, calls.size())) {
            say("N->>P: " + call.split(" ")[0]);
        }
        callsSeen = calls.size();
    }

    private void say(String what) {
        lines.add("    " + what);
    }
}

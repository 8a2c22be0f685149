package io.volume4j.core.node.state;

import io.volume4j.core.journal.JournalEntry;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.plugin.PluginState;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Encoding one volume's row for the journal, with this many entries of attachment metadata from the plugin. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class JournalRowEncoding {
    @Param({"1", "10", "100"})
    int size;

    private VolumeRow row = row(1);

    @Setup
    public void makeRow() {
        row = row(size);
    }

    private static VolumeRow row(int entries) {
        Map<String, String> metadata = new TreeMap<>();
        for (int i = 0; i < entries; i++) {
            metadata.put("key-" + i, "a value of some length " + i);
        }
        VolumeId id = VolumeId.shared("plugin.example.com", "0b1c9f4e-volume");
        return VolumeRow.unknown(id, "pvc-0b1c9f4e", false).attached("/dev/vdb", metadata, PluginState.none());
    }

    @Benchmark
    public JournalEntry encode() {
        return RowCodec.volume(row);
    }
}

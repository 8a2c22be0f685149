package io.volume4j.core.linux.mount;

import io.volume4j.spi.mount.MountEntry;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** One look-up in the mount table in memory, without asking the kernel whether it changed. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class MountTableSearch {
    @Param({"100", "1000", "10000"})
    int size;

    private final List<Path> places = new ArrayList<>();
    private MountSnapshot table = MountSnapshot.ofTable(List.of());
    private int next;

    @Setup
    public void fill() {
        StringBuilder text = new StringBuilder("1 0 8:1 / / rw - ext4 /dev/vda rw\n");
        places.clear();
        for (int i = 0; i < size; i++) {
            Path place = Path.of("/var/lib/volume4j/pods/uid-" + i + "/volumes/plugin.example.com/data");
            places.add(place);
            text.append(i + 2)
                    .append(" 1 7:")
                    .append(i)
                    .append(" / ")
                    .append(place)
                    .append(" rw,relatime - ext4 /dev/loop")
                    .append(i)
                    .append(" rw\n");
        }
        table = MountSnapshot.ofTable(MountInfoParser.parse(text.toString().getBytes(StandardCharsets.UTF_8)));
    }

    @Benchmark
    public Optional<MountEntry> lookUp() {
        next = next + 1 == size ? 0 : next + 1;
        return table.at(places.get(next));
    }
}

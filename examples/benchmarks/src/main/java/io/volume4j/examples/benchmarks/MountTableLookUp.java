package io.volume4j.examples.benchmarks;

import com.sun.jna.LastErrorException;
import io.volume4j.core.linux.LinuxMountBackend;
import io.volume4j.examples.benchmarks.measure.Benchmark;
import io.volume4j.examples.benchmarks.measure.Effort;
import io.volume4j.examples.benchmarks.measure.Figures;
import io.volume4j.examples.benchmarks.measure.Growth;
import io.volume4j.examples.benchmarks.measure.Run;
import io.volume4j.examples.benchmarks.measure.Table;
import io.volume4j.examples.benchmarks.world.BareLooks;
import io.volume4j.examples.benchmarks.world.MountPlaces;
import io.volume4j.spi.mount.BindOptions;
import io.volume4j.spi.mount.RootedPath;
import io.volume4j.spi.mount.UnmountMode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The cost of the check whether a path is a mount point, and the additional cost after a foreign or own change. */
final class MountTableLookUp implements Benchmark {
    private static final int TURNS = 51;

    @Override
    public String name() {
        return "mount-table";
    }

    @Override
    public String measures() {
        return "look-up of a mount point, when nothing changed, after our own mount, by bare system calls, and by reading mountinfo";
    }

    @Override
    public String warmUp() {
        return "a tenth of the time of each row; look-up and bare calls take 51 turns, and 10 before that";
    }

    private interface Question {
        int ask() throws IOException;
    }

    @Override
    public void run(Run run) throws Exception {
        try (LinuxMountBackend machine = LinuxMountBackend.create()) {
            if (!machine.abilities().mayMount()) {
                throw new Unable(machine.abilities().reason());
            }
            try (MountPlaces places = new MountPlaces(machine, run.scratch())) {
                measure(run, machine, places);
            }
        }
    }

    private static void measure(Run run, LinuxMountBackend machine, MountPlaces places) throws IOException {
        Table table = new Table(
                "mounts",
                "look-up",
                "to fewest",
                "statx",
                "statx and statmount",
                "bind, look-up, unmount",
                "reading the table");
        Growth lookUp = Growth.ofTime("look-up", "mounts");
        Growth changed = Growth.ofTime("bind, look-up, unmount", "mounts");
        RootedPath target = places.directory("target");
        double none = 0;
        double read = 0;
        for (int mounts : run.sizes(10_000, 10_000)) {
            places.fill(mounts);
            Path known = places.filled(mounts / 2);
            double[] quick = inTurns(run, questions(machine, known));
            double quiet = quick[0];
            double statx = quick[1];
            double statmount = quick.length > 2 ? quick[2] : 0;
            double own = nanos(run, () -> {
                machine.bind(places.source(), target, BindOptions.readWrite());
                int seen = found(machine, target.absolute());
                machine.unmount(target, UnmountMode.NORMAL);
                return seen;
            });
            read = nanos(
                    run,
                    () -> Files.readAllLines(Path.of("/proc/self/mountinfo")).size());
            none = none == 0 ? quiet : none;
            lookUp.at(mounts, quiet);
            changed.at(mounts, own);
            table.row(
                    Figures.count(mounts),
                    Figures.time(quiet),
                    Figures.ratio(quiet / none),
                    Figures.time(statx),
                    statmount > 0 ? Figures.time(statmount) : "-",
                    Figures.time(own),
                    Figures.time(read));
            if (mounts == 10_000 || run.effort() == Effort.SMOKE) {
                run.compared("look-up at " + Figures.count(mounts) + " mounts", quiet, "one statx", statx);
                if (statmount > 0) {
                    run.compared(
                            "look-up at " + Figures.count(mounts) + " mounts", quiet, "statx and statmount", statmount);
                }
                run.compared("look-up at " + Figures.count(mounts) + " mounts", quiet, "reading mountinfo", read);
            }
        }
        run.print(table);
        run.note(
                "each look-up asks the kernel with one poll(2) whether the table changed behind our back, and tells what is mounted;");
        run.note(
                "one statx tells only that something is, and statmount what it is (-: the kernel has none, before 6.8).");
        run.growth(lookUp);
        run.growth(changed);
    }

    /** The library's look-up, one statx, and one statx with a statmount if the kernel has it. */
    private static List<Question> questions(LinuxMountBackend machine, Path known) {
        BareLooks bare = new BareLooks(known);
        List<Question> questions = new ArrayList<>(List.of(() -> found(machine, known), () -> bare.mounted() ? 1 : 0));
        try {
            bare.mountedWithWhat();
            questions.add(() -> bare.mountedWithWhat() ? 1 : 0);
        } catch (LastErrorException absent) {
            return questions;
        }
        return questions;
    }

    /** The median of many short turns of each, because the fast ones differ by less than the machine's variation between seconds. */
    private static double[] inTurns(Run run, List<Question> questions) throws IOException {
        double[][] times = new double[questions.size()][TURNS];
        for (int turn = -TURNS / 5; turn < TURNS; turn++) {
            for (int i = 0; i < questions.size(); i++) {
                double time = repeat(run.nanos(3, 0.4) / TURNS, questions.get(i));
                times[i][Math.max(0, turn)] = time;
            }
        }
        return Arrays.stream(times)
                .mapToDouble(each -> {
                    Arrays.sort(each);
                    return each[TURNS / 2];
                })
                .toArray();
    }

    private static int found(LinuxMountBackend machine, Path place) {
        return machine.table().at(place).isPresent() ? 1 : 0;
    }

    private static double nanos(Run run, Question question) throws IOException {
        long time = run.nanos(3, 0.4);
        repeat(time / 10, question);
        return repeat(time, question);
    }

    private static double repeat(long nanos, Question question) throws IOException {
        long began = System.nanoTime();
        long asked = 0;
        long now = began;
        while (now - began < nanos) {
            if (question.ask() == 0) {
                throw new IllegalStateException("a mount is not in the table");
            }
            asked++;
            now = System.nanoTime();
        }
        return (double) (now - began) / asked;
    }
}

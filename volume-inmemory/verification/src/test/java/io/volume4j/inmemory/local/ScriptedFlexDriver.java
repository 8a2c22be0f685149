package io.volume4j.inmemory.local;

import io.volume4j.inmemory.mount.InMemoryMountBackend;
import io.volume4j.spi.mount.FilesystemMount;
import io.volume4j.spi.mount.Programs.Command;
import io.volume4j.spi.mount.Programs.Ending;
import io.volume4j.spi.mount.Programs.Outcome;
import io.volume4j.spi.mount.RootedPath;
import io.volume4j.spi.mount.UnmountMode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A flexvolume driver on a machine in memory that records its calls and says what it was told to say. */
final class ScriptedFlexDriver {
    static final Path PROGRAM = Path.of("/drivers/example.com~disk/disk");
    static final String NAME = "example.com/disk";

    final List<List<String>> calls = new ArrayList<>();
    private final Map<String, Outcome> answers = new LinkedHashMap<>();
    private final InMemoryMountBackend machine;

    ScriptedFlexDriver(InMemoryMountBackend machine) {
        this.machine = machine;
        machine.install(PROGRAM, this::run);
        says("init", "{\"status\":\"Success\"}");
        says("attach", "{\"status\":\"Success\",\"device\":\"/dev/flex\"}");
    }

    void says(String command, String output) {
        answers.put(command, new Outcome(Ending.EXITED, 0, output, false));
    }

    void ends(String command, Outcome outcome) {
        answers.put(command, outcome);
    }

    /** The commands that it got, without init. */
    List<String> commands() {
        return calls.stream()
                .map(call -> call.get(0))
                .filter(word -> !word.equals("init"))
                .toList();
    }

    private Outcome run(Command command) {
        List<String> call = command.arguments();
        calls.add(call);
        Outcome outcome = answers.getOrDefault(
                call.get(0), new Outcome(Ending.EXITED, 1, "{\"status\": \"Not supported\"}\n", false));
        if (outcome.output().contains("Success")) {
            act(call);
        }
        return outcome;
    }

    private void act(List<String> call) {
        switch (call.get(0)) {
            case "mountdevice", "mount" ->
                machine.mount(new FilesystemMount("tmpfs", "/dev/flex", false, List.of()), rooted(call.get(1)));
            case "unmountdevice", "unmount" -> machine.unmount(rooted(call.get(1)), UnmountMode.NORMAL);
            default -> {}
        }
    }

    private static RootedPath rooted(String path) {
        return RootedPath.of(Path.of("/"), path.substring(1));
    }
}

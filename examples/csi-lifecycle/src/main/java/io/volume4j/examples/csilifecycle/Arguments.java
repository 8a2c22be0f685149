package io.volume4j.examples.csilifecycle;

import io.volume4j.csi.CsiEndpoint;
import io.volume4j.csi.internal.proto.VolumeCapability.AccessMode.Mode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What the command line says.
 *
 * @param endpoint the driver's socket; null only with {@code plan}, {@code list} or {@code help}
 * @param nodeEndpoint the socket of its node side, null if it is the same
 * @param volumeId of a volume that is there already and stays, empty to create one
 * @param settings maps of keys and values by the name of their option
 * @param focus words of which a part's name must hold one; empty for all parts
 * @param junit where a report goes as JUnit's XML, null for nowhere
 * @param json where it goes as JSON, likewise
 * @param trustedUid a user that the driver may run as besides root and our own, -1 for none
 */
record Arguments(
        @Nullable CsiEndpoint endpoint,
        @Nullable CsiEndpoint nodeEndpoint,
        Path state,
        long size,
        boolean block,
        boolean ephemeral,
        String fsType,
        Mode mode,
        String volumeId,
        Map<String, Map<String, String>> settings,
        Duration timeout,
        int trustedUid,
        boolean plan,
        boolean cleanOnly,
        boolean list,
        List<String> focus,
        @Nullable Path junit,
        @Nullable Path json,
        boolean help) {
    static final String USAGE = """
            usage: java -jar csi-lifecycle.jar --endpoint unix:///run/my-driver/csi.sock [OPTION]...

            Takes a volume of your CSI driver through its whole life and shows every call: create, attach, stage,
            publish, write and read, grow, snapshot, restore, and all the way back. Asks the driver what it can do and
            leaves out the rest. Ends with a leak check. Whatever fails is taken down again; after a kill -9, run it
            again.

              --endpoint unix:///PATH       the driver's socket
              --node-endpoint unix:///PATH  the socket of its node side, if that is another one
              --plan                        show the calls and send none of them; only asks what the driver can do,
                                            and without --endpoint not even that
              --list                        the ids of the cases of such a run with a driver that can do everything, and
                                            the rule that each stands for; sends nothing
              --focus WORD                  only the parts with this word in their name, and what they need; may be
                                            repeated
              --junit FILE                  what became of each case, as JUnit's XML
              --json FILE                   the same as JSON
              --clean                       only take down what an earlier run has left, also mounts that the driver
                                            has forgotten
              --state DIR                   where paths to mount at and the record of what was begun are
                                            (%s)

              --size SIZE                   of the volume (64Mi); it is grown by as much again
              --block                       a block volume instead of a mounted one
              --fs-type TYPE                such as ext4; the driver's choice by default
              --access-mode MODE            as in the schema (SINGLE_NODE_WRITER); with one that only reads, volumes are
                                            published with readonly, and nothing is written
              --ephemeral                   an inline volume on the way, too
              --volume ID                   use this volume instead of creating one; it stays
              --parameter KEY=VALUE         for CreateVolume
              --mutable KEY=VALUE           for ControllerModifyVolume
              --snapshot-parameter KEY=VALUE
              --context KEY=VALUE           volume_context of --volume and of the inline volume
              --secrets FILE                lines of KEY=VALUE, sent with every call that has a field for them; never shown
              --timeout SECONDS             how long to repeat a call that fails for a moment (60)
              --trust-uid UID               the driver runs as this user, neither root nor you
              --help

            Exit code: 0 everything passed and nothing is left, 1 not, 2 wrong arguments, 130 stopped by Ctrl-C.
            """.formatted(defaultState());

    /** Whether the access mode forbids to write. */
    boolean onlyReads() {
        return mode == Mode.SINGLE_NODE_READER_ONLY || mode == Mode.MULTI_NODE_READER_ONLY;
    }

    Map<String, String> setting(String name) {
        return settings.getOrDefault(name, Map.of());
    }

    static Arguments parse(String[] words) {
        return new Parser(words).parse();
    }

    private static Path defaultState() {
        String user = System.getProperty("user.name", "user");
        return user.equals("root")
                ? Path.of("/var/lib/volume4j-csi-lifecycle")
                : Path.of(System.getProperty("java.io.tmpdir"), "volume4j-csi-lifecycle-" + user)
                        .toAbsolutePath()
                        .normalize();
    }

    private static final class Parser {
        private final String[] words;
        private int at;
        private @Nullable CsiEndpoint endpoint;
        private @Nullable CsiEndpoint nodeEndpoint;
        private Path state = defaultState();
        private long size = 64L << 20;
        private boolean block;
        private boolean ephemeral;
        private String fsType = "";
        private Mode mode = Mode.SINGLE_NODE_WRITER;
        private String volumeId = "";
        private final Map<String, Map<String, String>> settings = new LinkedHashMap<>();
        private Duration timeout = Duration.ofSeconds(60);
        private int trustedUid = -1;
        private boolean plan;
        private boolean cleanOnly;
        private boolean list;
        private final List<String> focus = new ArrayList<>();
        private @Nullable Path junit;
        private @Nullable Path json;
        private boolean help;

        Parser(String[] words) {
            this.words = words;
        }

        Arguments parse() {
            while (at < words.length) {
                read(words[at++]);
            }
            if (endpoint == null && !plan && !list && !help) {
                throw new Usage("--endpoint unix:///PATH is needed; --help tells more");
            }
            return new Arguments(
                    endpoint,
                    nodeEndpoint,
                    state,
                    size,
                    block,
                    ephemeral,
                    fsType,
                    mode,
                    volumeId,
                    settings,
                    timeout,
                    trustedUid,
                    plan,
                    cleanOnly,
                    list,
                    List.copyOf(focus),
                    junit,
                    json,
                    help);
        }

        private void read(String word) {
            switch (word) {
                case "--endpoint" -> endpoint = socket(word);
                case "--node-endpoint" -> nodeEndpoint = socket(word);
                case "--state" -> state = Path.of(value(word)).toAbsolutePath().normalize();
                case "--size" -> size = size(word);
                case "--block" -> block = true;
                case "--ephemeral" -> ephemeral = true;
                case "--fs-type" -> fsType = value(word);
                case "--access-mode" -> mode = mode(word);
                case "--volume" -> volumeId = value(word);
                case "--parameter", "--mutable", "--snapshot-parameter", "--context" -> pair(word, value(word));
                case "--secrets" -> secrets(Path.of(value(word)));
                case "--timeout" -> timeout = Duration.ofSeconds(number(word));
                case "--trust-uid" -> trustedUid = Math.toIntExact(number(word));
                case "--plan" -> plan = true;
                case "--clean" -> cleanOnly = true;
                case "--list" -> list = true;
                case "--focus" -> focus.add(value(word));
                case "--junit" -> junit = Path.of(value(word));
                case "--json" -> json = Path.of(value(word));
                case "-h", "--help" -> help = true;
                default -> throw new Usage("unknown argument " + word + "; --help lists the known ones");
            }
        }

        private String value(String word) {
            if (at >= words.length) {
                throw new Usage(word + " needs a value");
            }
            return words[at++];
        }

        private CsiEndpoint socket(String word) {
            try {
                return CsiEndpoint.parse(value(word));
            } catch (IllegalArgumentException wrong) {
                throw new Usage(word + ": " + wrong.getMessage());
            }
        }

        private long size(String word) {
            String text = value(word);
            String number = text.replaceAll("(?i)(ki|mi|gi|ti)b?$", "");
            String unit = text.substring(number.length()).toLowerCase(Locale.ROOT);
            int shift = unit.isEmpty() ? 0 : 10 * (1 + "kmgt".indexOf(unit.charAt(0)));
            try {
                long bytes = Math.multiplyExact(Long.parseLong(number), 1L << shift);
                if (bytes > 0) {
                    return bytes;
                }
            } catch (NumberFormatException | ArithmeticException notASize) {
                // told below, with every other text that is no size
            }
            throw new Usage(word + ": not a size such as 64Mi: " + text);
        }

        private Mode mode(String word) {
            String text = value(word);
            for (Mode each : Mode.values()) {
                if (each.name().equals(text) && each != Mode.UNKNOWN && each != Mode.UNRECOGNIZED) {
                    return each;
                }
            }
            throw new Usage(word + ": no access mode of CSI is called " + text);
        }

        private long number(String word) {
            String text = value(word);
            try {
                long number = Long.parseLong(text);
                if (number > 0 && number <= Integer.MAX_VALUE) {
                    return number;
                }
            } catch (NumberFormatException notANumber) {
                // told below, with what is not positive
            }
            throw new Usage(word + ": needs a positive number, not " + text);
        }

        private void pair(String word, String text) {
            int equals = text.indexOf('=');
            if (equals < 1) {
                throw new Usage(word + ": needs KEY=VALUE");
            }
            settings.computeIfAbsent(word, none -> new TreeMap<>())
                    .put(text.substring(0, equals), text.substring(equals + 1));
        }

        private void secrets(Path file) {
            try {
                for (String line : Files.readAllLines(file)) {
                    if (!line.isBlank() && !line.startsWith("#")) {
                        pair("--secrets", line.strip());
                    }
                }
            } catch (IOException e) {
                throw new Usage("--secrets: cannot read " + e.getMessage());
            }
        }
    }
}

package io.volume4j.core.linux.path;

import io.volume4j.core.linux.sys.Descriptor;
import io.volume4j.core.linux.sys.FileFacts;
import io.volume4j.core.linux.sys.Kernel;
import io.volume4j.spi.VolumeException;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks which users may write a root directory. The library trusts the files there: a user who can create files there
 * can change what the library takes for mounted. So it refuses a root that all users can write, or that belongs to
 * another user. For a root that a group can write, it logs one warning, because a user may have a private group.
 * Thread-safe.
 */
final class RootRights {
    private static final Logger log = LoggerFactory.getLogger(RootRights.class);
    private static final int ROOT_USER = 0;
    private static final int GROUP_WRITES = 0020;
    private static final int OTHERS_WRITE = 0002;

    private final Kernel kernel;
    private final Set<Path> told = ConcurrentHashMap.newKeySet();

    RootRights(Kernel kernel) {
        this.kernel = kernel;
    }

    /** @throws VolumeException final, if other users can create files in the root */
    void check(Path root, Descriptor opened) {
        FileFacts facts = kernel.facts(opened);
        long user = kernel.user();
        if (facts.owner() != ROOT_USER && facts.owner() != user) {
            throw VolumeException.finalFailure(
                            "it belongs to user " + facts.owner() + ", and this process runs as user " + user)
                    .withAdvice("chown " + user + " " + root + ", or name " + root.resolve("volumes")
                            + " if that user is to be trusted");
        }
        if ((facts.mode() & OTHERS_WRITE) != 0) {
            throw VolumeException.finalFailure(
                            "all users can write it (mode " + Integer.toOctalString(facts.mode()) + ")")
                    .withAdvice("name a directory in it, such as " + root.resolve("volumes")
                            + ", which is made for this user alone, or chmod o-w " + root);
        }
        if ((facts.mode() & GROUP_WRITES) != 0 && told.add(root)) {
            log.atWarn()
                    .addKeyValue("path", root)
                    .addKeyValue("group", facts.group())
                    .addKeyValue("advice", "chmod g-w, unless no other user is in the group")
                    .log("root directory can be written by a group");
        }
    }
}

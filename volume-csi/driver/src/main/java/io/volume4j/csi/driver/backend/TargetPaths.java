package io.volume4j.csi.driver.backend;

import io.grpc.Status.Code;
import io.volume4j.csi.driver.backend.State.KnownNode;
import io.volume4j.csi.driver.backend.State.KnownPublication;
import io.volume4j.csi.driver.oracle.Rule;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;

/** Checks that the caller has prepared the paths of a request. */
final class TargetPaths {
    private final Backend backend;

    TargetPaths(Backend backend) {
        this.backend = backend;
    }

    /** The caller must create the directory, and no other volume may be staged there. */
    void demandStaging(KnownNode node, String path, String rpc) {
        demandAbsolute(path);
        node.staged.forEach((volume, stage) -> {
            if (stage.path.equals(path)) {
                throw backend.wrong(
                        Rule.STAGING_PATH, rpc, Code.FAILED_PRECONDITION, path + " is where " + volume + " is staged");
            }
        });
        if (!Files.isDirectory(Path.of(path), LinkOption.NOFOLLOW_LINKS)) {
            throw backend.wrong(
                    Rule.PATH_MISSING, rpc, Code.FAILED_PRECONDITION, "there is no staging directory " + path);
        }
    }

    /** The caller must create the parent. The target itself may be an empty directory or file from before a reboot. */
    void demandTarget(KnownNode node, String volume, String target, String rpc) {
        demandAbsolute(target);
        KnownPublication there = node.published.get(target);
        if (there != null && !there.volume.equals(volume)) {
            throw backend.wrong(
                    Rule.TARGET_TAKEN, rpc, Code.ALREADY_EXISTS, there.volume + " is published at " + target);
        }
        Path path = Path.of(target);
        Path parent = path.getParent();
        if (parent == null || !Files.isDirectory(parent)) {
            throw backend.wrong(
                    Rule.PATH_MISSING, rpc, Code.FAILED_PRECONDITION, "there is no directory for the target " + target);
        }
        if (holdsFiles(path)) {
            throw backend.wrong(Rule.TARGET_TAKEN, rpc, Code.FAILED_PRECONDITION, target + " holds files");
        }
    }

    private static boolean holdsFiles(Path path) {
        if (!Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
            return false;
        }
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(path)) {
            return entries.iterator().hasNext();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void demandAbsolute(String path) {
        if (!path.startsWith("/")
                || path.length() < 2
                || !Path.of(path).normalize().equals(Path.of(path))) {
            throw Refused.invalid("not an absolute path without . and ..: " + path);
        }
    }
}

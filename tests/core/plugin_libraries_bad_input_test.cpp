// Libraries built wrong on purpose, and files that are no libraries.
#include <algorithm>
#include <cmath>

#include "plugin_refusals.h"

namespace holo {
namespace {

using namespace plugin_refusals;

// --- libraries built wrong on purpose

TEST(PluginBadInput, WrongAbiVersion) { expect_refused("wrong_abi_version", {"another interface", "ABI 12", "ABI 6"}); }
TEST(PluginBadInput, WrongLaneWidth) {
  expect_refused("wrong_lane_width", {"another interface", "3 lanes", std::to_string(HOLO_LANE_WIDTH) + " lanes"});
}
TEST(PluginBadInput, WrongStructSize) {
  expect_refused("wrong_struct_size",
                 {"another interface", std::to_string(sizeof(holo_material) + 8), std::to_string(sizeof(holo_material)) + "/"});
}
TEST(PluginBadInput, WrongStampSize) {
  expect_refused("wrong_stamp_size", {"12 bytes", std::to_string(sizeof(holo_stamp)), "Build it anew"});
}
TEST(PluginBadInput, MissingOperation) { expect_refused("missing_operation", {"required operation 'hessian' is missing"}); }
TEST(PluginBadInput, MissingRead) { expect_refused("missing_read", {"required function 'read' is missing"}); }
TEST(PluginBadInput, MissingKernel) { expect_refused("missing_kernel", {"'stress'", "what runs"}); }
TEST(PluginBadInput, MissingSummary) { expect_refused("missing_summary", {"summary", "null pointer"}); }
TEST(PluginBadInput, Nameless) { expect_refused("nameless", {"no name"}); }
TEST(PluginBadInput, WrongName) { expect_refused("wrong_name", {"'some_other_name'", "'wrong_name'", "equal"}); }
TEST(PluginBadInput, WrongDomain) { expect_refused("wrong_domain", {"domain is 9"}); }
TEST(PluginBadInput, NullMaterial) { expect_refused("null_material", {"null pointer"}); }
TEST(PluginBadInput, RegistersNothing) {
  expect_refused("registers_nothing", {"registers nothing: neither a material, nor a joint, nor a loss"});
}
TEST(PluginBadInput, RegistersTwice) { expect_refused("registers_twice", {"registers 2 materials"}); }
TEST(PluginBadInput, GoesOnAfterItsRefusal) { expect_refused("ignores_refusal", {"required operation 'stress' is missing"}); }
TEST(PluginBadInput, ReferenceInThePlugin) { expect_refused("reference_in_plugin", {"reference_in_plugin.reference.so"}); }
TEST(PluginBadInput, EntryThrows) { expect_refused("entry_throws", {"exception", "entry", "the entry has had enough"}); }
TEST(PluginBadInput, EntryThrowsWhatIsNoStandardException) {
  expect_refused("entry_throws_number", {"not a std::exception", "entry"});
}
TEST(PluginBadInput, EntryFailsWithAnEndlessMessage) { expect_refused("entry_fails", {"no license xxx"}); }
TEST(PluginBadInput, UndefinedSymbol) {
  expect_refused("undefined_symbol", {"uses 'elsewhere::defined_nowhere(int)'", "nor a library"});
}

TEST(PluginBadInput, MissingEntryAndNothingOfItIsExecuted) {
  unsetenv("HOLO_TEST_EXECUTED");
  expect_refused("missing_entry", {"does not export 'holo_plugin'"});
  EXPECT_EQ(std::getenv("HOLO_TEST_EXECUTED"), nullptr);
  // Not vacuous: loaded, it does tell.
  void* handle = dlopen((bad_plugins / "missing_entry.so").c_str(), RTLD_NOW);
  EXPECT_NE(std::getenv("HOLO_TEST_EXECUTED"), nullptr);
  dlclose(handle);
}

std::string failure_of_read(const std::string& plugin) {
  return message_of([&] { read("a:\n  stiffness: 1", plugin); });
}

TEST(PluginBadInput, ReadThrows) {
  expect_parts(failure_of_read("read_throws"), {"read_throws.so", "exception", "this read never works"});
}
TEST(PluginBadInput, ReadThrowsWhatIsNoStandardException) {
  expect_parts(failure_of_read("read_throws_number"), {"read_throws_number.so", "not a std::exception", "'read'"});
}
TEST(PluginBadInput, ReadFails) {
  expect_parts(failure_of_read("read_fails"), {"read_fails.so", "the moduli do not fit together"});
}
TEST(PluginBadInput, ReadAsksWrongly) {
  expect_parts(failure_of_read("read_asks_wrongly"), {"read_asks_wrongly.so", "'strange'", "unknown kind 77"});
}
TEST(PluginBadInput, ReadMakesNotANumber) {
  expect_parts(message_of([] { read("stiffness: 1", "read_makes_nan"); }), {"'order'", "not finite"});
}

// --- files that are no libraries

TEST(PluginBadInput, TextFile) {
  TemporaryFolder folder;
  put(folder / "text.so", "#!/bin/sh\necho executed\n");
  expect_parts(refusal("text", folder.path()), {(folder / "text.so").string(), "not a shared library"});
}

TEST(PluginBadInput, EmptyFile) {
  TemporaryFolder folder;
  put(folder / "empty.so", "");
  expect_parts(refusal("empty", folder.path()), {"not a shared library", "empty"});
}

TEST(PluginBadInput, TruncatedLibraryAtAnyPlace) {
  TemporaryFolder folder;
  const std::string whole = content(bad_plugins / "right_material.so");
  ASSERT_GT(whole.size(), 1000u);
  for (std::size_t size = 1; size < whole.size(); size += size < 200 ? 1 : (whole.size() - size + 19) / 20) {
    put(folder / "right_material.so", whole.substr(0, size));
    expect_parts(refusal("right_material", folder.path()), {"right_material.so"});
    EXPECT_FALSE(is_loaded(folder / "right_material.so"));
  }
}

TEST(PluginBadInput, LibraryWithDamagedHeadersIsReadWithinItsBounds) {
  TemporaryFolder folder;
  const std::string whole = content(bad_plugins / "missing_entry.so");
  for (std::size_t place = 0; place < 64; ++place) {  // the ELF header; the rest of the file has no entry, so nothing is loaded
    std::string spoiled = whole;
    spoiled[place] = static_cast<char>(0xff);
    put(folder / "missing_entry.so", spoiled);
    expect_parts(refusal("missing_entry", folder.path()), {"missing_entry.so"});
  }
}

TEST(PluginBadInput, ObjectFileOfAnotherKind) {
  TemporaryFolder folder;
  std::string object = content(bad_plugins / "right_material.so");
  object[16] = 1;  // e_type: relocatable
  put(folder / "object.so", object);
  expect_parts(refusal("object", folder.path()), {"not a shared library", "another kind of ELF file"});
  object[16] = 3;
  object[18] = 8;  // e_machine: MIPS
  put(folder / "object.so", object);
  expect_parts(refusal("object", folder.path()), {"another processor"});
}

TEST(PluginBadInput, FolderOfThatName) {
  TemporaryFolder folder;
  fs::create_directory(folder / "folder.so");
  expect_parts(refusal("folder", folder.path()), {(folder / "folder.so").string(), "it is a folder"});
}

TEST(PluginBadInput, UnreadableFile) {
  TemporaryFolder folder;
  fs::permissions(folder.path(), fs::perms::all);
  fs::copy_file(bad_plugins / "right_material.so", folder / "right_material.so");
  fs::permissions(folder / "right_material.so", fs::perms::none);
  const test::WithoutRoot without_root;
  expect_parts(refusal("right_material", folder.path()), {(folder / "right_material.so").string(), "Permission denied"});
}

TEST(PluginBadInput, DanglingLink) {
  TemporaryFolder folder;
  fs::create_symlink("nowhere.so", folder / "dangling.so");
  expect_parts(refusal("dangling", folder.path()), {(folder / "dangling.so").string(), "No such file"});
}

TEST(PluginBadInput, MissingReference) {
  expect_parts(message_of([] { host().get_reference<MaterialPlugin>("wrong_name"); }),
               {"wrong_name", "wrong_name.reference.so"});
}

TEST(PluginBadInput, PluginInPlaceOfItsReference) {
  TemporaryFolder folder;
  for (const char* name : {"right_material.so", "right_material.reference.so"})
    fs::copy_file(bad_plugins / "right_material.so", folder / name);
  expect_parts(message_of([&] { PluginHost({folder.path()}).get_reference<MaterialPlugin>("right_material"); }),
               {"right_material.reference.so", "registers a material", "belongs into 'right_material.so'"});
}

TEST(PluginBadInput, RefusedLibraryDoesNotStayLoaded) {
  refusal("missing_operation");
  EXPECT_FALSE(is_loaded(bad_plugins / "missing_operation.so"));
}

}  // namespace
}  // namespace holo

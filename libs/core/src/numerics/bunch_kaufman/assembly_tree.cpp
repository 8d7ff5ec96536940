#include "numerics/bunch_kaufman/assembly_tree.h"

#include <algorithm>
#include <numeric>

namespace holo {

namespace {

using Numbers = std::vector<int>;

// The pattern left of the diagonal of the permuted matrix: the columns of each row, compressed. Built in two passes: count,
// then fill.
struct LeftPattern {
  Numbers starts, columns;

  LeftPattern(const SparseMatrix& lower, const Numbers& order) {
    const int n = int(order.size());
    Numbers pivot_of_row(order.size());
    for (int k = 0; k < n; ++k) pivot_of_row[std::size_t(order[std::size_t(k)])] = k;
    starts.assign(order.size() + 1, 0);
    auto visit_all = [&](const auto& visit) {
      for (int column = 0; column < n; ++column)
        for (int e = lower.outerIndexPtr()[column]; e < lower.outerIndexPtr()[column + 1]; ++e) {
          const int row = lower.innerIndexPtr()[e];
          if (row <= column) continue;
          const auto [left, right] = std::minmax(pivot_of_row[std::size_t(row)], pivot_of_row[std::size_t(column)]);
          visit(int(left), int(right));
        }
    };
    visit_all([&](int, int right) { ++starts[std::size_t(right) + 1]; });
    std::partial_sum(starts.begin(), starts.end(), starts.begin());
    columns.resize(std::size_t(starts.back()));
    Numbers next(starts.begin(), starts.end() - 1);
    visit_all([&](int left, int right) { columns[std::size_t(next[std::size_t(right)]++)] = left; });
  }
};

// Liu's algorithm: each entry (row, k) makes the row the parent of the root of k's present subtree. Path compression: all
// vertices on the way to this root get the row as their ancestor.
Numbers elimination_tree(const LeftPattern& pattern) {
  const int n = int(pattern.starts.size()) - 1;
  Numbers parent(pattern.starts.size() - 1, -1), ancestor(pattern.starts.size() - 1, -1);
  for (int row = 0; row < n; ++row)
    for (int e = pattern.starts[std::size_t(row)]; e < pattern.starts[std::size_t(row) + 1]; ++e)
      for (int k = pattern.columns[std::size_t(e)]; k != -1 && k < row;) {
        const int next = ancestor[std::size_t(k)];
        ancestor[std::size_t(k)] = row;
        if (next == -1) parent[std::size_t(k)] = row;
        k = next;
      }
  return parent;
}

// A depth-first order with children before parents and each subtree contiguous; [k] is the k-th node.
Numbers postorder(const Numbers& parent) {
  const int n = int(parent.size());
  Numbers first_child(parent.size(), -1), sibling(parent.size(), -1), result, stack;
  for (int node = n - 1; node >= 0; --node) {
    if (parent[std::size_t(node)] < 0) continue;
    int& first = first_child[std::size_t(parent[std::size_t(node)])];
    sibling[std::size_t(node)] = first;
    first = node;
  }
  result.reserve(parent.size());
  for (int root = 0; root < n; ++root) {
    if (parent[std::size_t(root)] >= 0) continue;
    stack.push_back(root);
    while (!stack.empty()) {
      int& child = first_child[std::size_t(stack.back())];
      if (child < 0) {
        result.push_back(stack.back());
        stack.pop_back();
      } else {
        const int next = child;
        child = sibling[std::size_t(child)];
        stack.push_back(next);
      }
    }
  }
  return result;
}

// Number of entries of each column of the factor, with the diagonal. A row of the factor is the part of the tree between the
// row's entries and the row: each walk up the tree ends at the first column that this row has counted.
Numbers column_counts(const LeftPattern& pattern, const Numbers& parent) {
  const int n = int(parent.size());
  Numbers counts(parent.size(), 1), seen(parent.size(), -1);
  for (int row = 0; row < n; ++row) {
    seen[std::size_t(row)] = row;
    for (int e = pattern.starts[std::size_t(row)]; e < pattern.starts[std::size_t(row) + 1]; ++e)
      for (int k = pattern.columns[std::size_t(e)]; seen[std::size_t(k)] != row; k = parent[std::size_t(k)]) {
        seen[std::size_t(k)] = row;
        ++counts[std::size_t(k)];
      }
  }
  return counts;
}

// The nodes while they are merged: columns, parent, number of rows of the front, and explicit zeros in it.
struct Supernodes {
  std::vector<Numbers> columns;
  Numbers parent, front_size;
  std::vector<double> zeros;
  std::vector<char> is_merged;  // into its parent
};

// Groups neighboring columns of one chain whose patterns below the diagonal are equal: column j joins j - 1 if it is its
// parent, has no other child, and has one entry less.
Supernodes fundamental_supernodes(const Numbers& parent, const Numbers& counts) {
  const int n = int(parent.size());
  Numbers child_count(parent.size(), 0), node_of(parent.size());
  for (int p : parent)
    if (p >= 0) ++child_count[std::size_t(p)];
  Supernodes nodes;
  for (int j = 0; j < n; ++j) {
    const bool joins = j > 0 && parent[std::size_t(j) - 1] == j && child_count[std::size_t(j)] == 1 &&
                       counts[std::size_t(j) - 1] == counts[std::size_t(j)] + 1;
    if (!joins) {
      nodes.columns.emplace_back();
      nodes.front_size.push_back(counts[std::size_t(j)]);
    }
    nodes.columns.back().push_back(j);
    node_of[std::size_t(j)] = int(nodes.columns.size()) - 1;
  }
  for (const Numbers& columns : nodes.columns) {
    const int above = parent[std::size_t(columns.back())];
    nodes.parent.push_back(above < 0 ? -1 : node_of[std::size_t(above)]);
  }
  nodes.zeros.assign(nodes.parent.size(), 0);
  nodes.is_merged.assign(nodes.parent.size(), 0);
  return nodes;
}

// Larger fronts are faster, but their zeros cost work. The bounds are CHOLMOD's.
bool is_worth_merging(int columns, double share_of_zeros) {
  return columns <= 4 || (columns <= 16 && share_of_zeros < 0.8) || (columns <= 48 && share_of_zeros < 0.1) ||
         share_of_zeros < 0.05;
}

// Merges children into their parents, from the leaves up, where that is worth the zeros that the larger front stores. A merged
// child's children become the parent's, which were judged before.
void merge_children(Supernodes& nodes) {
  const int count = int(nodes.parent.size());
  std::vector<Numbers> children(nodes.parent.size());
  for (int node = 0; node < count; ++node) {
    const auto at = std::size_t(node);
    Numbers kept;
    for (std::size_t i = 0; i < children[at].size(); ++i) {
      const int child = children[at][i];
      const auto c = std::size_t(child);
      const double child_columns = double(nodes.columns[c].size()), columns = child_columns + double(nodes.columns[at].size()),
                   front = child_columns + nodes.front_size[at];
      // The child's columns get the rows of the merged front: those that they did not have are zeros.
      const double zeros = nodes.zeros[at] + nodes.zeros[c] + child_columns * (front - nodes.front_size[c]);
      const double entries = columns * front - columns * (columns - 1) / 2;
      if (!is_worth_merging(int(columns), zeros / entries)) {
        kept.push_back(child);
        continue;
      }
      nodes.is_merged[c] = 1;
      nodes.zeros[at] = zeros;
      nodes.front_size[at] = int(front);
      nodes.columns[c].insert(nodes.columns[c].end(), nodes.columns[at].begin(), nodes.columns[at].end());
      nodes.columns[at].swap(nodes.columns[c]);
      kept.insert(kept.end(), children[c].begin(), children[c].end());
      for (int grandchild : children[c]) nodes.parent[std::size_t(grandchild)] = node;
    }
    children[at] = std::move(kept);
    if (nodes.parent[at] >= 0) children[std::size_t(nodes.parent[at])].push_back(node);
  }
}

Numbers composed(const Numbers& order, const Numbers& of) {
  Numbers result(of.size());
  for (std::size_t k = 0; k < of.size(); ++k) result[k] = order[std::size_t(of[k])];
  return result;
}

// Numbers the nodes that were not merged in postorder, and their columns (pivots) in the order of the nodes.
void number_nodes(const Supernodes& nodes, const Numbers& order, AssemblyTree& tree) {
  const int count = int(nodes.parent.size());
  Numbers kept, number(nodes.parent.size(), -1), parents;
  for (int node = 0; node < count; ++node)
    if (!nodes.is_merged[std::size_t(node)]) {
      number[std::size_t(node)] = int(kept.size());
      kept.push_back(node);
    }
  for (int node : kept) {
    const int parent = nodes.parent[std::size_t(node)];
    parents.push_back(parent < 0 ? -1 : number[std::size_t(parent)]);
  }
  const Numbers sequence = postorder(parents);
  Numbers place(kept.size());
  for (std::size_t k = 0; k < sequence.size(); ++k) place[std::size_t(sequence[k])] = int(k);
  tree.first_pivot = {0};
  for (int k : sequence) {
    const Numbers& columns = nodes.columns[std::size_t(kept[std::size_t(k)])];
    for (int column : columns) tree.row_of_pivot.push_back(order[std::size_t(column)]);
    tree.first_pivot.push_back(int(tree.row_of_pivot.size()));
    tree.parent.push_back(parents[std::size_t(k)] < 0 ? -1 : place[std::size_t(parents[std::size_t(k)])]);
  }
}

// Lists the entries of the matrix that each node assembles: those whose earlier pivot is the node's.
void find_entries(const SparseMatrix& lower, AssemblyTree& tree) {
  const int n = int(tree.row_of_pivot.size());
  Numbers pivot_of_row(tree.row_of_pivot.size()), node_of_pivot(tree.row_of_pivot.size());
  for (int k = 0; k < n; ++k) pivot_of_row[std::size_t(tree.row_of_pivot[std::size_t(k)])] = k;
  for (int node = 0; node < tree.node_count(); ++node)
    for (int k = tree.first_pivot[std::size_t(node)]; k < tree.first_pivot[std::size_t(node) + 1]; ++k)
      node_of_pivot[std::size_t(k)] = node;
  tree.entry_starts.assign(std::size_t(tree.node_count()) + 1, 0);
  auto visit_all = [&](const auto& visit) {
    for (int j = 0; j < n; ++j)
      for (int e = lower.outerIndexPtr()[j]; e < lower.outerIndexPtr()[j + 1]; ++e) {
        const int i = lower.innerIndexPtr()[e];
        if (i < j) continue;
        const auto [left, right] = std::minmax(pivot_of_row[std::size_t(i)], pivot_of_row[std::size_t(j)]);
        visit(node_of_pivot[std::size_t(left)], AssemblyTree::Entry{e, int(right), int(left)});
      }
  };
  visit_all([&](int node, const AssemblyTree::Entry&) { ++tree.entry_starts[std::size_t(node) + 1]; });
  std::partial_sum(tree.entry_starts.begin(), tree.entry_starts.end(), tree.entry_starts.begin());
  tree.entries.resize(std::size_t(tree.entry_starts.back()));
  Numbers next(tree.entry_starts.begin(), tree.entry_starts.end() - 1);
  visit_all([&](int node, const AssemblyTree::Entry& entry) { tree.entries[std::size_t(next[std::size_t(node)]++)] = entry; });
}

// A node's rows are those of its entries and of its children, without its own pivots.
void find_rows(AssemblyTree& tree) {
  std::vector<Numbers> children(tree.parent.size());
  for (int node = 0; node < tree.node_count(); ++node)
    if (tree.parent[std::size_t(node)] >= 0) children[std::size_t(tree.parent[std::size_t(node)])].push_back(node);
  Numbers seen(tree.row_of_pivot.size(), -1);
  tree.row_starts = {0};
  for (int node = 0; node < tree.node_count(); ++node) {
    const auto at = std::size_t(node);
    const int end = tree.first_pivot[at + 1];
    auto add = [&](int row) {
      if (row < end || seen[std::size_t(row)] == node) return;
      seen[std::size_t(row)] = node;
      tree.rows.push_back(row);
    };
    for (int e = tree.entry_starts[at]; e < tree.entry_starts[at + 1]; ++e) add(tree.entries[std::size_t(e)].row);
    for (int child : children[at])
      for (int r = tree.row_starts[std::size_t(child)]; r < tree.row_starts[std::size_t(child) + 1]; ++r)
        add(tree.rows[std::size_t(r)]);
    std::sort(tree.rows.begin() + tree.row_starts.back(), tree.rows.end());
    tree.row_starts.push_back(int(tree.rows.size()));
  }
}

}  // namespace

AssemblyTree::AssemblyTree(const SparseMatrix& lower, const std::vector<int>& order) {
  // A postorder of the tree gives the same factor, and brings the columns of a supernode next to each other.
  const Numbers by_tree = composed(order, postorder(elimination_tree(LeftPattern(lower, order))));
  const LeftPattern pattern(lower, by_tree);
  const Numbers columns_parent = elimination_tree(pattern);
  Supernodes nodes = fundamental_supernodes(columns_parent, column_counts(pattern, columns_parent));
  merge_children(nodes);
  // Merging changes that order: the final numbering and the nodes' rows follow from the merged tree.
  number_nodes(nodes, by_tree, *this);
  find_entries(lower, *this);
  find_rows(*this);
}

}  // namespace holo
